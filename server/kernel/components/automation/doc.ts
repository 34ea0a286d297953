// Help on automations.
import type { ComponentDoc } from '../define.ts'

export const automationDoc: ComponentDoc = {
  summary: 'An automation does something when a record is saved, or when it is called.',
  text: `It is declarative: a condition, and actions in order. The phase decides what it may do. **Before the write** it sets fields of the record or refuses it. **After the write** it creates and changes other records, publishes events and queues calls, all in the same transaction. **After the commit**, and when **called**, it may call out, in a transaction of its own.

No call leaves the platform inside the transaction of a save. A value that a save needs from elsewhere is fetched beforehand by an invocable automation.`,
  example: {
    object: 'invoice',
    phase: 'after_write',
    when: 'amount > 10000',
    actions: [
      {
        key: 'announce',
        type: 'publish',
        channel: 'large_invoices',
        payload: { number: 'number', amount: 'amount' },
      },
    ],
  },
}
