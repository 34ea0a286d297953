// Help on event channels.
import type { ComponentDoc } from '../define.ts'

export const eventChannelDoc: ComponentDoc = {
  summary: 'An event channel is a durable log that any number of consumers can read, from any point.',
  text: `It carries **platform events** with a schema of its own, or the **changes** of one object, which appear if and only if the write was committed.

Order holds within a partition: for changes, by record; for platform events, by the partition key. Delivery is at least once, so consumers drop what they have seen. Events are kept for 7 days, and 30 at most.`,
  example: {
    schema: [
      { key: 'number', type: 'text', required: true },
      { key: 'amount', type: 'number', precision: 14, scale: 2 },
    ],
    partitionKey: 'number',
    retentionDays: 14,
  },
}
