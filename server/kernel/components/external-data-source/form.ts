// Form of an external data source.
import type { FormDescriptor } from '../form.ts'

export const externalDataSourceForm: FormDescriptor = {
  sections: [
    {
      title: 'Source',
      fields: [
        {
          path: 'adapter',
          label: 'Adapter',
          help: 'The protocol that the source speaks.',
          widget: 'select',
          required: true,
          options: [{ value: 'odata_v4', label: 'OData 4' }],
        },
        {
          path: 'namedCredential',
          label: 'Endpoint',
          help: 'Where the source is, and as whom it is read.',
          widget: 'reference',
          required: true,
          refTypes: ['named_credential'],
        },
      ],
    },
    {
      title: 'What the source does itself',
      fields: [
        {
          path: 'pushdown',
          label: 'Pushdown',
          help: 'What is handed to the source. What it cannot do is refused when a list is written.',
          widget: 'group',
          fields: [
            { path: 'filter', label: 'Filter', help: 'It applies conditions.', widget: 'switch' },
            { path: 'sort', label: 'Sort', help: 'It orders rows.', widget: 'switch' },
            {
              path: 'paging',
              label: 'Paging',
              help: 'Its own cursors are followed.',
              widget: 'select',
              options: [{ value: 'server', label: 'By the source' }],
            },
            { path: 'aggregate', label: 'Aggregate', help: 'It counts and sums.', widget: 'switch' },
          ],
        },
        {
          path: 'pageSize',
          label: 'Rows on a page',
          help: 'How many rows are asked for at once, up to 2000.',
          widget: 'number',
        },
        {
          path: 'listViewDeadlineMs',
          label: 'Deadline (ms)',
          help: 'After it a list shows what has arrived, and says so.',
          widget: 'number',
        },
      ],
    },
  ],
}
