// Help on event channels.
import type { ComponentDoc } from '../define.ts'

export const eventChannelDoc: ComponentDoc = {
  summary: 'An event channel is a durable log that any number of consumers can read, from any point.',
  text: `It carries **platform events** with a schema, or the **changes** of one object. A change appears if and only if the write was committed.

Events keep their order within a partition: changes by record, platform events by the partition key. Delivery is at least once, so consumers must ignore duplicates. Events are kept for 7 days by default, and for at most 30.

This version keeps the events that automations publish. It does not deliver them yet.`,
  example: {
    schema: [
      { key: 'number', type: 'text', required: true },
      { key: 'amount', type: 'number', precision: 14, scale: 2 },
    ],
    partitionKey: 'number',
    retentionDays: 14,
  },
}
