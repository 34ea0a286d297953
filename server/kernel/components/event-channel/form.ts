// Form of an event channel.
import type { FormDescriptor } from '../form.ts'
import { typedFieldColumns } from '../object/form.ts'

export const eventChannelForm: FormDescriptor = {
  sections: [
    {
      title: 'What it carries',
      fields: [
        {
          path: 'schema',
          label: 'Platform event',
          help: 'The fields of events that automations and callers publish.',
          widget: 'grid',
          fields: typedFieldColumns,
        },
        {
          path: 'object',
          label: 'Object',
          help: 'Or: the object whose committed changes it carries.',
          widget: 'reference',
          refTypes: ['object'],
        },
        {
          path: 'fields',
          label: 'Captured fields',
          help: 'Which fields of the object the events carry; all of them unless some are named.',
          widget: 'object_field',
        },
      ],
    },
    {
      title: 'Log',
      fields: [
        {
          path: 'partitionKey',
          label: 'Partition key',
          help: 'Events with the same value of this field keep their order. Changes keep it by record.',
          widget: 'text',
        },
        {
          path: 'partitions',
          label: 'Partitions',
          help: 'How many parts of the log are written side by side.',
          widget: 'number',
        },
        {
          path: 'retentionDays',
          label: 'Kept for (days)',
          help: '7 unless said otherwise, 30 at most.',
          widget: 'number',
        },
        {
          path: 'maxBytes',
          label: 'Largest event (bytes)',
          help: 'A larger one is refused when it is published.',
          widget: 'number',
        },
      ],
    },
  ],
}
