// Form of a feature flag.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'

const ownerFields: readonly FieldDescriptor[] = [
  { path: 'user', label: 'User', help: 'A live user.', widget: 'text' },
  { path: 'group', label: 'Group', help: 'A live group.', widget: 'text' },
]

export const featureFlagForm: FormDescriptor = {
  sections: [
    {
      title: 'Switch',
      fields: [
        {
          path: 'default',
          label: 'Value for everyone',
          help: 'What the flag says where no narrower entry does.',
          widget: 'switch',
          options: [
            { value: 'true', label: 'on' },
            { value: 'false', label: 'off' },
          ],
        },
        {
          path: 'scopes',
          label: 'Scope chain',
          help: 'Who may have a value of their own. Everyone else gets the value for everyone.',
          widget: 'chain',
        },
      ],
    },
    {
      title: 'Owner and expiry',
      fields: [
        {
          path: 'owner',
          label: 'Owner',
          help: 'The user or group that answers for the flag and will remove it.',
          widget: 'principal',
          required: true,
          fields: ownerFields,
        },
        {
          path: 'expiresOn',
          label: 'Expires on',
          help: 'The last day of the switch. Afterwards its value is frozen until it is extended or removed.',
          widget: 'date',
          required: true,
        },
        {
          path: 'rationale',
          label: 'Rationale',
          help: 'Why the flag exists. An extension needs a new one.',
          widget: 'multiline',
        },
      ],
    },
    {
      title: 'Access',
      fields: [
        {
          path: 'read',
          label: 'May read',
          help: 'Permission sets whose holders see the flag.',
          widget: 'grants',
        },
        {
          path: 'edit',
          label: 'May edit',
          help: 'Permission sets whose holders change it, together with config.author.',
          widget: 'grants',
        },
      ],
    },
  ],
}
