// Help on apps.
import type { ComponentDoc } from '../define.ts'

export const appDoc: ComponentDoc = {
  summary: 'An app groups objects, pages and guided flows for one kind of work.',
  text: `Configuration can differ by app: an entry at the scope { "kind": "app", "app": "<key>" } applies to requests that run in it.

Pages and the steps of a flow consist of sections, like layouts. They have no record, so they contain elements and no fields.`,
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
