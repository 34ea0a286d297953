// Form of a configuration entry.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'

const at = (kind: string) => ({ path: 'kind', in: [kind] })

const scopeFields: readonly FieldDescriptor[] = [
  {
    path: 'environment',
    label: 'Environment',
    help: 'The name of the environment, for example prod.',
    widget: 'text',
    when: at('environment'),
  },
  {
    path: 'app',
    label: 'App',
    help: 'Requests that run in this app.',
    widget: 'reference',
    refTypes: ['app'],
    when: at('app'),
  },
  {
    path: 'locale',
    label: 'Language',
    help: 'A language tag such as de or de-AT; the longer one wins.',
    widget: 'text',
    placeholder: 'de-AT',
    when: at('locale'),
  },
  {
    path: 'permissionSet',
    label: 'Permission set',
    help: 'Its holders.',
    widget: 'reference',
    refTypes: ['permission_set'],
    when: at('permission_set'),
  },
  { path: 'user', label: 'User', help: 'One named user.', widget: 'text', when: at('user') },
]

export const configEntryForm: FormDescriptor = {
  sections: [
    {
      title: 'Where',
      fields: [
        {
          path: 'set',
          label: 'Set or flag',
          help: 'The configuration set that the row belongs to, or the flag whose value it changes for some.',
          widget: 'reference',
          required: true,
          refTypes: ['config_set', 'feature_flag'],
        },
        {
          path: 'key',
          label: 'Business key',
          help: 'Which row it is, for example the country. Only for sets with one row for each key.',
          widget: 'business_key',
        },
        {
          path: 'scope',
          label: 'For whom',
          help: 'Everyone (org), or one environment, app, language, permission set or user.',
          widget: 'scope',
          required: true,
          fields: scopeFields,
        },
        {
          path: 'priority',
          label: 'Priority',
          help: 'Decides for a person who holds several permission sets: the highest number wins.',
          widget: 'number',
        },
      ],
    },
    {
      title: 'When',
      fields: [
        {
          path: 'effectiveFrom',
          label: 'First day',
          help: 'The first day on which the row counts.',
          widget: 'date',
        },
        {
          path: 'effectiveTo',
          label: 'Last day',
          help: 'The last day on which the row counts; the next row starts the day after. Empty for no end.',
          widget: 'date',
        },
      ],
    },
    {
      title: 'Values',
      fields: [
        {
          path: 'values',
          label: 'Values',
          help: 'One value for each field of the set. A number is written as a decimal, 0.19 for 19 %.',
          widget: 'entry_values',
          required: true,
        },
      ],
    },
  ],
}
