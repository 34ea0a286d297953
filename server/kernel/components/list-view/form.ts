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
          help: 'The object whose records are listed.',
          widget: 'reference',
          required: true,
          refTypes: ['object'],
        },
        {
          path: 'columns',
          label: 'Columns',
          help: 'Fields, from left to right. Use a dot to follow a reference, as in customer.name.',
          widget: 'object_field',
          required: true,
        },
        {
          path: 'filter',
          label: 'Filter',
          help: 'A condition on the record. If empty, all records are listed.',
          widget: 'expression',
          expression: 'list_filter',
        },
        {
          path: 'orderBy',
          label: 'Order',
          help: 'Records are ordered by the first field, then by the next.',
          widget: 'grid',
          fields: [
            {
              path: 'field',
              label: 'Field',
              help: 'The field to order by.',
              widget: 'object_field',
              required: true,
            },
            {
              path: 'dir',
              label: 'Direction',
              help: 'Ascending has the smallest first, descending the largest.',
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
