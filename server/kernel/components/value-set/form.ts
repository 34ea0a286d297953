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
          help: 'The values to choose from, in the order in which they are shown.',
          widget: 'grid',
          required: true,
          fields: [
            {
              path: 'key',
              label: 'Key',
              help: 'What is stored and what expressions compare with, for example reduced or EUR.',
              widget: 'text',
              required: true,
            },
            { path: 'label', label: 'Label', help: 'What people read.', widget: 'text', required: true },
            {
              path: 'active',
              label: 'Active',
              help: 'An inactive value stays where it is used and is no longer offered.',
              widget: 'switch',
            },
          ],
        },
      ],
    },
  ],
}
