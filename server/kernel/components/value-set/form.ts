// Form of a value set.
import type { FormDescriptor } from '../form.ts'

export const valueSetForm: FormDescriptor = {
  sections: [
    {
      title: 'Values',
      fields: [
        {
          path: 'values',
          label: 'Values',
          help: 'The values to choose from, in display order.',
          widget: 'grid',
          required: true,
          fields: [
            {
              path: 'key',
              label: 'Key',
              help: 'The stored value that expressions compare against, such as reduced or EUR.',
              widget: 'text',
              required: true,
            },
            { path: 'label', label: 'Label', help: 'The display name.', widget: 'text', required: true },
            {
              path: 'active',
              label: 'Active',
              help: 'Existing entries keep an inactive value, but it is no longer offered.',
              widget: 'switch',
            },
          ],
        },
      ],
    },
  ],
}
