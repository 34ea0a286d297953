// Help on event channels.
import type { ComponentDoc } from '../define.ts'

export const eventChannelDoc: ComponentDoc = {
  summary: 'An event channel is a durable log that any number of consumers can read, from any point.',
  text: `It carries **platform events** with a schema, or the **changes** of one object. A change appears if and only if the write was committed.

Events keep their order within a partition: changes by record, platform events by the partition key. Delivery is at least once, so consumers must ignore duplicates. Events are kept for 7 days by default, and for at most 30.

Nobody receives its events until a permission set is granted \`read\`. Of the changes of an object, each consumer receives only those of records that they can read, with the fields that they cannot read as null. Automations publish platform events, and so do callers whose permission sets are granted \`publish\`.

An object that captures changes has a channel of its own, \`changes.<object>\`, which its readers can follow. A channel of its changes takes its place, with its log: it can narrow the fields and have other settings.`,
  example: {
    schema: [
      { key: 'number', type: 'text', required: true },
      { key: 'amount', type: 'number', precision: 14, scale: 2 },
    ],
    partitionKey: 'number',
    retentionDays: 14,
    read: { finance: 'read' },
    publish: { billing: 'publish' },
  },
}
