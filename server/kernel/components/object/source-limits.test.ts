// What would need a virtual object to do more than its source can is refused when it is written.
import { describe, expect, it } from 'vitest'
import type { Component } from '../body-types.ts'
import { component, findingsOf } from '../rule-fixture.ts'

const source = (filter: boolean) =>
  component('external_data_source/erp', {
    ...{ adapter: 'odata_v4', namedCredential: 'erp_api', pushdown: { filter } },
  })
const order = (writable: boolean) =>
  component('object/order', {
    ...{ storage: 'external', dataSource: 'erp', remoteEntity: 'Orders', externalId: 'Id', writable },
    fields: [
      { key: 'name', type: 'text' },
      { key: 'buyer', type: 'reference', references: 'customer' },
    ],
  })
const customer = component('object/customer', { fields: [{ key: 'name', type: 'text' }] })
const parcel = component('object/parcel', {
  fields: [{ key: 'order', type: 'reference', references: 'order' }],
})
const orders = component('list_view/orders', { object: 'order', columns: ['name'] })
const org = (filter = true, writable = true): Component[] =>
  [source(filter), order(writable), customer, parcel, orders] as Component[]

const layout = (object: string, key: string, inputs: object) =>
  component('layout/page', {
    object,
    sections: [{ id: 'main', section: 'Main', items: [{ id: 'a', type: 'component', key, inputs }] }],
  })

describe('a source that cannot filter', () => {
  it.each([
    [layout('customer', 'list_view', { listView: 'orders', via: 'buyer' }), 'inputs/via'],
    [layout('parcel', 'lookup_field', { field: 'order' }), 'inputs'],
    [layout('parcel', 'lookup_field', { object: 'order', matchFields: 'name' }), 'inputs'],
  ])('does not list the rows of one record, and is not searched', (placed, at) => {
    expect(findingsOf(placed, { others: org(true) })).toEqual([])
    const [finding] = findingsOf(placed, { others: org(false) })
    expect(finding).toMatchObject({ path: `/body/sections/0/items/0/${at}` })
    expect(finding!.message).toContain('"pushdown.filter" is false')
  })
})

it('a path does not lead through a virtual object', () => {
  const list = (column: string) => component('list_view/parcels', { object: 'parcel', columns: [column] })
  expect(findingsOf(list('order.name'), { others: org() })).toEqual([])
  expect(findingsOf(list('order.buyer'), { others: org() })).toEqual([])
  const [finding] = findingsOf(list('order.buyer.name'), { others: org() })
  expect(finding!.message).toContain('order is virtual, so a path cannot lead through it')
  const own = component('list_view/own', { object: 'order', columns: ['buyer.name'] })
  expect(findingsOf(own, { others: org() })).toEqual([])
})

it('a flow adds rows only to a writable object', () => {
  const app = component('app/sales', {
    ...{ objects: [], pages: [] },
    flows: [{ key: 'add', label: 'Add', object: 'order', steps: [] }],
  })
  expect(findingsOf(app, { others: org(true, true) })).toEqual([])
  expect(findingsOf(app, { others: org(true, false) })).toMatchObject([{ path: '/body/flows/0/object' }])
})

it('an automation does not write rows of a virtual object', () => {
  const automation = component('automation/copy', {
    ...{ object: 'customer', phase: 'after_write' },
    actions: [{ key: 'add', type: 'create', object: 'order', values: { name: 'name' } }],
  })
  expect(findingsOf(automation, { others: org() })).toMatchObject([
    { code: 'automation.target', path: '/body/actions/0/object' },
  ])
})
