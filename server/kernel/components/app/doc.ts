// Help on apps.
import type { ComponentDoc } from '../define.ts'

export const appDoc: ComponentDoc = {
  summary: 'An app groups objects, pages and guided flows for one kind of work.',
  text: `Configuration may differ by app: an entry at the scope { "kind": "app", "app": "<key>" } counts for requests that run in it.

Pages and the steps of a flow are made of sections, as layouts are; they have no record, so they hold elements rather than fields.`,
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
    order: 10,
  },
}
