// A virtual object with its source, for tests.
import type { Component } from '#kernel/components/body-types.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { EvalInput } from '#kernel/expr/index.ts'
import { compileRowFilter } from './row-filter.ts'
import type { ListRequest } from './odata/list-request.ts'
import { virtualObjectOf, type VirtualObject } from './virtual-object.ts'

export function parsed(type: string, key: string, body: object): Component {
  const { component, findings } = parseComponent({ type, key, label: key, body })
  if (component === null || findings.length > 0) throw new Error(JSON.stringify(findings))
  return component
}

export const orderFields = [
  { key: 'id_text', type: 'text', remoteField: 'Id' },
  { key: 'name', type: 'text', remoteField: 'Name' },
  { key: 'city', type: 'text', remoteField: 'City' },
  { key: 'amount', type: 'number', precision: 12, scale: 2, remoteField: 'Amount' },
  { key: 'pieces', type: 'number', precision: 10, scale: 0, remoteField: 'Pieces', remoteType: 'Edm.Int32' },
  { key: 'weight', type: 'number', precision: 12, scale: 3, remoteField: 'Weight', remoteType: 'Edm.Double' },
  { key: 'placed', type: 'date', remoteField: 'Placed' },
  { key: 'sent_at', type: 'datetime', remoteField: 'SentAt' },
  { key: 'open', type: 'boolean', remoteField: 'Open' },
  { key: 'status', type: 'enum', valueSet: 'status', remoteField: 'Status', remoteType: 'Sales.Status' },
  { key: 'batch_no', type: 'text', remoteField: 'Batch', remoteType: 'Edm.Guid' },
  { key: 'version_no', type: 'number', precision: 18, scale: 0, remoteField: 'Version', readOnly: true },
  { key: 'double', type: 'number', precision: 14, scale: 2, formula: { expression: 'amount * 2' } },
]

export interface FixtureOptions {
  object?: object
  source?: object
  fields?: readonly object[]
}

export function fixtureView({ object, source, fields = orderFields }: FixtureOptions = {}): ComponentView {
  return new MemoryView([
    parsed('value_set', 'status', {
      values: ['Draft', 'Sent', 'Paid'].map((key) => ({ key, label: key })),
    }),
    parsed('config_set', 'limits', {
      cardinality: 'singleton',
      fields: [
        { key: 'credit', type: 'number', precision: 12, scale: 2 },
        { key: 'note', type: 'text' },
      ],
    }),
    parsed('external_data_source', 'erp', {
      adapter: 'odata_v4',
      namedCredential: 'erp_api',
      pushdown: { filter: true, sort: true, paging: 'server', aggregate: true },
      ...source,
    }),
    parsed('object', 'sales_order', {
      storage: 'external',
      dataSource: 'erp',
      remoteEntity: 'Orders',
      externalId: 'Id',
      fields,
      ...object,
    }),
  ])
}

export const fixtureObject = (view: ComponentView): VirtualObject => virtualObjectOf(view, 'sales_order')!

/** No configuration has a value. */
export const constants: Omit<EvalInput, 'field'> = {
  configRow: () => ({}),
  flag: () => true,
}

export interface FixtureRequest {
  filter?: string
  orderBy?: ListRequest['orderBy']
  owner?: string | null
  limit?: number
  count?: boolean
  place?: ListRequest['place']
}

export function listRequest(
  view: ComponentView,
  { filter, orderBy = [], owner = null, limit = 50, count = false, place = null }: FixtureRequest = {},
): ListRequest {
  const object = fixtureObject(view)
  const by = filter === undefined ? null : compileRowFilter(filter, object, view)
  return {
    object,
    view,
    filter: by === null ? null : { by, input: constants },
    orderBy,
    owner,
    limit,
    count,
    place,
  }
}
