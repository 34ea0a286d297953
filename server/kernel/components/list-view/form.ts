// Form of a list view.
import type { FormDescriptor } from '../form.ts'

export const listViewForm: FormDescriptor = {
  sections: [
    {
      title: 'List',
      fields: [
        {
          path: 'object',
          label: 'Object',
          help: 'Whose records are listed.',
          widget: 'reference',
          required: true,
          refTypes: ['object'],
        },
        {
          path: 'columns',
          label: 'Columns',
          help: 'Fields, from left to right. A point follows a reference, as in customer.name.',
          widget: 'object_field',
          required: true,
        },
        {
          path: 'filter',
          label: 'Only where',
          help: 'A condition on the record; empty lists all.',
          widget: 'expression',
          expression: 'list_filter',
        },
        {
          path: 'orderBy',
          label: 'Order',
          help: 'The first decides, the next among equals.',
          widget: 'grid',
          fields: [
            {
              path: 'field',
              label: 'Field',
              help: 'What to order by.',
              widget: 'object_field',
              required: true,
            },
            {
              path: 'dir',
              label: 'Direction',
              help: 'Smallest or largest first.',
              widget: 'select',
              options: [
                { value: 'asc', label: 'Ascending' },
                { value: 'desc', label: 'Descending' },
              ],
            },
          ],
        },
      ],
    },
  ],
}
