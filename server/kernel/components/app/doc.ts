// Help on apps.
import type { ComponentDoc } from '../define.ts'

export const appDoc: ComponentDoc = {
  summary: 'An app groups objects, pages and guided flows for one kind of work.',
  text: `Configuration can differ by app: an entry at the scope { "kind": "app", "app": "<key>" } applies to requests that run in it.

Pages and the steps of a flow consist of sections, like layouts. A page has no record, so it contains elements and no fields.

A **guided flow** adds one record of its **object**. Its steps place fields of the new record, which is saved once, after the last step. A step can call an **operation**, an invocable automation, when it is complete: its parameters take the values of fields of the new record, and returned values fill fields.`,
  example: {
    objects: ['invoice'],
    pages: [
      {
        key: 'overview',
        label: 'Overview',
        sections: [
          {
            id: 'open',
            section: 'Open invoices',
            items: [
              { id: 'list', type: 'component', key: 'list_view', inputs: { listView: 'open_invoices' } },
            ],
          },
        ],
      },
    ],
    flows: [
      {
        key: 'new_invoice',
        label: 'New invoice',
        object: 'invoice',
        steps: [
          {
            key: 'supply',
            label: 'Supply',
            sections: [
              {
                ...{ id: 'what', section: 'What is invoiced', columns: 2 },
                items: [
                  { id: 'number', type: 'field', key: 'number' },
                  { id: 'amount', type: 'field', key: 'amount' },
                ],
              },
            ],
          },
          {
            key: 'tax',
            label: 'Tax',
            sections: [
              {
                ...{ id: 'where', section: 'Where and when', columns: 2 },
                items: [
                  { id: 'territory', type: 'field', key: 'territory' },
                  { id: 'tax_date', type: 'field', key: 'tax_date' },
                ],
              },
            ],
          },
        ],
      },
    ],
    order: 10,
  },
}
