// Help on external data sources.
import type { ComponentDoc } from '../define.ts'

export const externalDataSourceDoc: ComponentDoc = {
  summary: 'An external data source lets virtual objects read rows from another system without a copy.',
  text: `It defines the adapter, the endpoint, and what the source can do itself: filter, sort, page, aggregate. A list that needs more is rejected when it is saved.

Each list view has a deadline. If lists are aggregated or take longer than 400 ms, copy the rows into a local object on a schedule instead.

[Virtual objects](virtual-objects.md) describes who sees which rows, and what a source that fails does to a list.`,
  example: {
    adapter: 'odata_v4',
    namedCredential: 'orders_odata',
    pushdown: { filter: true, sort: true, paging: 'server', aggregate: false },
    pageSize: 100,
  },
}
