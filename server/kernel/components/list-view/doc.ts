// Help on list views.
import type { ComponentDoc } from '../define.ts'

export const listViewDoc: ComponentDoc = {
  summary: 'A list view shows the records of one object as a table.',
  text: `It defines the columns, a filter and an order. People see only the records and fields that they can read.

The database must be able to apply the filter and the order, so they read stored fields: not formulas that are computed when they are read. If the object is virtual, its source must be able to apply them.`,
  example: {
    object: 'invoice',
    columns: ['number', 'tax_date', 'amount'],
    filter: 'amount > 1000',
    orderBy: [{ field: 'tax_date', dir: 'desc' }],
  },
}
