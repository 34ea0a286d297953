// Form of an event channel.
import type { FormDescriptor } from '../form.ts'
import { typedFieldColumns } from '../object/form.ts'

export const eventChannelForm: FormDescriptor = {
  sections: [
    {
      title: 'Content',
      fields: [
        {
          path: 'schema',
          label: 'Platform event',
          help: 'The fields of the events that automations and callers publish.',
          widget: 'grid',
          fields: typedFieldColumns,
        },
        {
          path: 'object',
          label: 'Object',
          help: 'The object whose committed changes it carries, instead of platform events.',
          widget: 'reference',
          refTypes: ['object'],
        },
        {
          path: 'fields',
          label: 'Captured fields',
          help: 'The fields of the object in the events. If omitted, all fields.',
          widget: 'object_field',
        },
      ],
    },
    {
      title: 'Access',
      fields: [
        {
          path: 'read',
          label: 'Can read',
          help: 'Permission sets whose holders receive its events. Everyone else does not.',
          widget: 'grants',
        },
        {
          path: 'publish',
          label: 'Can publish',
          help: 'Permission sets whose holders can publish platform events through the API.',
          widget: 'grants',
        },
      ],
    },
    {
      title: 'Log',
      fields: [
        {
          path: 'partitionKey',
          label: 'Partition key',
          help: 'Events with the same value of this field keep their order. Changes keep their order by record.',
          widget: 'text',
        },
        {
          path: 'partitions',
          label: 'Partitions',
          help: 'The number of parts of the log that are written in parallel.',
          widget: 'number',
        },
        {
          path: 'retentionDays',
          label: 'Retention (days)',
          help: 'How long events are kept. Default 7, at most 30.',
          widget: 'number',
        },
        {
          path: 'maxBytes',
          label: 'Largest event (bytes)',
          help: 'Larger events are rejected when they are published.',
          widget: 'number',
        },
      ],
    },
  ],
}
