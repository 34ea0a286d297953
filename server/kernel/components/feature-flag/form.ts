// Form of a feature flag.
import type { FieldDescriptor, FormDescriptor } from '../form.ts'

const ownerFields: readonly FieldDescriptor[] = [
  { path: 'user', label: 'User', help: 'An active user.', widget: 'text' },
  { path: 'group', label: 'Group', help: 'An existing group.', widget: 'text' },
]

export const featureFlagForm: FormDescriptor = {
  sections: [
    {
      title: 'Switch',
      fields: [
        {
          path: 'default',
          label: 'Value for everyone',
          help: 'The value of the flag if no narrower entry applies.',
          widget: 'switch',
          options: [
            { value: 'true', label: 'on' },
            { value: 'false', label: 'off' },
          ],
        },
        {
          path: 'scopes',
          label: 'Scope chain',
          help: 'The kinds of scopes that can have a different value. Everyone else gets the value for everyone.',
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
          help: 'The user or group that is responsible for the flag and will remove it.',
          widget: 'principal',
          required: true,
          fields: ownerFields,
        },
        {
          path: 'expiresOn',
          label: 'Expires on',
          help: 'The last day of the flag. Afterwards, its value is frozen until the flag is extended or removed.',
          widget: 'date',
          required: true,
        },
        {
          path: 'rationale',
          label: 'Rationale',
          help: 'Why the flag exists. An extension needs a new rationale.',
          widget: 'multiline',
        },
      ],
    },
    {
      title: 'Access',
      fields: [
        {
          path: 'read',
          label: 'Can read',
          help: 'Permission sets whose holders can see the flag.',
          widget: 'grants',
        },
        {
          path: 'edit',
          label: 'Can edit',
          help: 'Permission sets whose holders can change it. They also need config.author.',
          widget: 'grants',
        },
      ],
    },
  ],
}
