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
          help: 'The protocol of the source.',
          widget: 'select',
          required: true,
          options: [{ value: 'odata_v4', label: 'OData 4' }],
        },
        {
          path: 'namedCredential',
          label: 'Endpoint',
          help: 'The URL of the source, and the identity that reads it.',
          widget: 'reference',
          required: true,
          refTypes: ['named_credential'],
        },
      ],
    },
    {
      title: 'Capabilities of the source',
      fields: [
        {
          path: 'pushdown',
          label: 'Pushdown',
          help: 'The operations that the source can do itself. A list that needs others is rejected when it is saved.',
          widget: 'group',
          fields: [
            { path: 'filter', label: 'Filter', help: 'The source applies conditions.', widget: 'switch' },
            { path: 'sort', label: 'Sort', help: 'The source orders rows.', widget: 'switch' },
            {
              path: 'paging',
              label: 'Paging',
              help: 'Pages follow the cursors of the source.',
              widget: 'select',
              options: [{ value: 'server', label: 'By the source' }],
            },
            {
              path: 'aggregate',
              label: 'Aggregate',
              help: 'The source counts the rows of a list.',
              widget: 'switch',
            },
          ],
        },
        {
          path: 'pageSize',
          label: 'Rows per page',
          help: 'The number of rows in one request, at most 2,000.',
          widget: 'number',
        },
        {
          path: 'listViewDeadlineMs',
          label: 'Deadline (ms)',
          help: 'After this time, a list shows the rows that have arrived, with a note that it is incomplete.',
          widget: 'number',
        },
      ],
    },
  ],
}
