// Form of a configuration entry.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'

const whenKind = (kind: string) => ({ path: 'kind', in: [kind] })

const scopeFields: readonly FieldDescriptor[] = [
  {
    path: 'environment',
    label: 'Environment',
    help: 'The name of the environment, for example prod.',
    widget: 'text',
    when: whenKind('environment'),
  },
  {
    path: 'app',
    label: 'App',
    help: 'Requests that run in this app.',
    widget: 'reference',
    refTypes: ['app'],
    when: whenKind('app'),
  },
  {
    path: 'locale',
    label: 'Language',
    help: 'A language tag such as de or de-AT. The more specific tag wins.',
    widget: 'text',
    placeholder: 'de-AT',
    when: whenKind('locale'),
  },
  {
    path: 'permissionSet',
    label: 'Permission set',
    help: 'The users with this permission set.',
    widget: 'reference',
    refTypes: ['permission_set'],
    when: whenKind('permission_set'),
  },
  { path: 'user', label: 'User', help: 'One named user.', widget: 'text', when: whenKind('user') },
]

export const configEntryForm: FormDescriptor = {
  sections: [
    {
      title: 'Place',
      fields: [
        {
          path: 'set',
          label: 'Set or flag',
          help: 'The configuration set of the row, or the flag whose value it changes for a scope.',
          widget: 'reference',
          required: true,
          refTypes: ['config_set', 'feature_flag'],
        },
        {
          path: 'key',
          label: 'Business key',
          help: 'Identifies the row, for example by country. Only for sets with one row per key.',
          widget: 'business_key',
        },
        {
          path: 'scope',
          label: 'Scope',
          help: 'Everyone (org), or one environment, app, language, permission set or user.',
          widget: 'scope',
          required: true,
          fields: scopeFields,
        },
        {
          path: 'priority',
          label: 'Priority',
          help: 'Decides for a user with several permission sets: the highest number wins.',
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
          help: 'The first day on which the row applies.',
          widget: 'date',
        },
        {
          path: 'effectiveTo',
          label: 'Last day',
          help: 'The last day on which the row applies. The next row starts on the day after. Leave empty for no end.',
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
          help: 'One value for each field of the set. Write a number as a decimal, such as 0.19 for 19%.',
          widget: 'entry_values',
          required: true,
        },
      ],
    },
  ],
}
