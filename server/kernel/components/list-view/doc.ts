// Help on list views.
import type { ComponentDoc } from '../define.ts'

export const listViewDoc: ComponentDoc = {
  summary: 'A list view shows records of one object as a table.',
  text: `It names the columns, a filter and an order. People see only the records and fields that they may read, whatever the list names.

Over a virtual object, the filter must be one that the source can apply.`,
  example: {
    object: 'invoice',
    columns: ['number', 'tax_date', 'amount'],
    filter: 'amount > 1000',
    orderBy: [{ field: 'tax_date', dir: 'desc' }],
  },
}
