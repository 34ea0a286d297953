// Help on automations.
import type { ComponentDoc } from '../define.ts'

export const automationDoc: ComponentDoc = {
  summary: 'An automation runs actions when a record is saved, or when it is called.',
  text: `It is declarative: a condition, and actions in order. The phase decides what it can do. **Before the write**, it sets fields of the record or rejects it. **After the write**, it creates and changes other records, publishes events and queues calls, all in the same transaction. **After the commit**, and when **called**, it can make outgoing calls, in a separate transaction.

Holders of the permission sets in \`grantedTo\` call an invocable automation at \`POST /invoke/v3/{key}\`, with a value for each parameter. Its actions run with the rights of the caller, in one transaction, and \`returns\` names the values of the response.

No call leaves the platform in the transaction of a save. If a save needs an external value, an invocable automation fetches it beforehand.`,
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
