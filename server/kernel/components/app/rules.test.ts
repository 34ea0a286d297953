import { describe, expect, it } from 'vitest'
import { buildCandidate } from '../../change/candidate.ts'
import { validateCandidate } from '../../change/validate.ts'
import { buildGraph, planRename, whereUsed } from '../../graph/index.ts'
import type { Component } from '../body-types.ts'
import { MemoryView } from '../memory-view.ts'
import { component, date, findingsOf, principals } from '../rule-fixture.ts'

const customer = component('object/customer', { fields: [{ key: 'name', type: 'text' }] })
const invoice = component('object/invoice', {
  fields: [
    { key: 'number', type: 'text', required: true },
    { key: 'customer', type: 'reference', references: 'customer', aliases: ['buyer'] },
    { key: 'state', type: 'text', required: true, default: '"open"' },
    { key: 'total', type: 'number', precision: 9, scale: 2, formula: { expression: '1' } },
  ],
})
const open = component('list_view/open', { object: 'invoice', columns: ['number'] })
const others = [customer, invoice, open] as Component[]

const app = (items: object[], at: 'pages' | 'flows' = 'flows', object = 'invoice') => {
  const sections = [{ id: 'main', section: 'Main', items }]
  const pages = [{ key: 'start', label: 'Start', sections }]
  const flows = [{ key: 'add', label: 'Add', object, steps: [{ key: 'one', label: 'One', sections }] }]
  return component('app/billing', at === 'pages' ? { pages } : { flows })
}
const field = (key: string) => ({ id: key, type: 'field', key })
const element = (key: string, inputs: object = {}) => ({ id: key, type: 'component', key, inputs })
const found = (...[items, at, object]: Parameters<typeof app>) =>
  findingsOf(app(items, at, object), { others }).map(
    ({ severity, code, path, message }) => `${severity} ${code} ${path} ${message}`,
  )
const inStep = '/body/flows/0/steps/0/sections/0/items/0'
const onPage = '/body/pages/0/sections/0/items/0'

describe('a step of a flow', () => {
  it('places fields of the object of the flow, also by aliases and through lookup fields', () => {
    expect(found([field('number'), field('buyer')])).toEqual([])
    expect(found([field('number'), element('lookup_field', { field: 'customer' })])).toEqual([])
  })

  it('reports a field that the object does not have', () => {
    expect(found([field('nummber'), field('number')])).toEqual([
      `error reference.unknown_field ${inStep}/key invoice has no field "nummber". Did you mean "number"?`,
    ])
    expect(found([element('lookup_field', { field: 'custmer' }), field('number')])).toEqual([
      expect.stringContaining(`error reference.unknown_field ${inStep}/inputs/field`),
    ])
  })

  it('reports a field without a value before the save', () => {
    expect(found([field('total'), field('number')])).toEqual([
      `error placement.element ${inStep}/key total is computed when the record is saved. A step of a flow can only ask for fields.`,
    ])
    expect(found([field('customer.name'), field('number')])).toEqual([
      `error placement.element ${inStep}/key "customer.name" follows a reference, but the record is not saved yet. Place customer instead.`,
    ])
  })

  it('cannot list records that refer to the new one', () => {
    expect(found([element('list_view', { listView: 'open', via: 'customer' }), field('number')])).toEqual([
      expect.stringContaining(`error placement.input ${inStep}/inputs/via No record refers`),
      expect.stringContaining(
        `error placement.input ${inStep}/inputs/via customer of invoice refers to customer`,
      ),
    ])
  })

  it('is warned about if no step asks for a required field without a default', () => {
    expect(found([field('customer')])).toEqual([
      'warning placement.required_field /body/flows/0/steps No step of add asks for number, which invoice requires, so a record can be refused at the end. Place it in a step.',
    ])
  })

  it('needs an object', () => {
    expect(() => component('app/x', { flows: [{ key: 'add', label: 'Add' }] })).toThrow('object')
  })
})

describe('a page of an app', () => {
  it('places lists and lookup fields over an object, and no fields', () => {
    const lookup = element('lookup_field', { object: 'customer' })
    expect(found([element('list_view', { listView: 'open' }), lookup], 'pages')).toEqual([])
    expect(found([field('number')], 'pages')).toEqual([
      `error placement.element ${onPage} The field "number" is placed on a page of an app, which has no record. Place it in a layout of its object, or in a step of a flow.`,
    ])
    expect(found([element('lookup_field', { field: 'customer' })], 'pages')).toEqual([
      `error placement.input ${onPage}/inputs/field A page of an app has no record. Write "object" instead, for the object whose records are found.`,
    ])
    expect(found([element('list_view', { listView: 'open', via: 'customer' })], 'pages')).toEqual([
      expect.stringContaining(`error placement.input ${onPage}/inputs/via A page of an app has no record`),
    ])
    expect(found([element('list_view')], 'pages')).toEqual([
      expect.stringContaining(`error placement.input ${onPage}/inputs "listView" is missing`),
    ])
  })
})

describe('the uses of an object in an app', () => {
  const billing = app([
    field('number'),
    { ...element('lookup_field', { field: 'customer' }), id: 'who' },
    { ...element('lookup_field', { object: 'customer' }), id: 'any' },
    { ...element('lookup_field'), id: 'buyer' },
  ])
  const view = new MemoryView([...others, billing as Component])
  const used = (id: 'object/invoice' | 'object/customer', member?: string) =>
    whereUsed(buildGraph(view), id, member)
      .filter(({ from }) => from === 'app/billing')
      .map(({ path }) => path.replace('/body/flows/0', ''))

  it('are the flow, its fields and its lookup fields', () => {
    expect(used('object/invoice', 'number')).toEqual(['/steps/0/sections/0/items/0/key'])
    expect(used('object/invoice', 'customer')).toEqual(['/steps/0/sections/0/items/1/inputs/field'])
    expect(used('object/invoice', 'buyer')).toEqual(['/steps/0/sections/0/items/3/id'])
    expect(used('object/invoice')).toContain('/object')
    expect(used('object/customer')).toEqual(['/steps/0/sections/0/items/2/inputs/object'])
  })

  it('prevent that the field or the object is removed', () => {
    const [number, ...rest] = invoice.body.fields
    expect(number!.key).toBe('number')
    const without = { ...invoice, body: { ...invoice.body, fields: rest } } as Component
    const withoutNumber = buildCandidate(view, { components: [{ component: without, hints: {} }] })
    const withoutObject = buildCandidate(view, { components: [], removals: ['object/invoice'] })
    const [afterField, afterObject] = [withoutNumber, withoutObject].map(
      (candidate) => validateCandidate(candidate, view, { today: date('2026-06-01'), principals }).findings,
    )
    expect(afterField!.map(({ component, path }) => `${component} ${path}`)).toContain(
      'app/billing /body/flows/0/steps/0/sections/0/items/0/key',
    )
    const refused = afterObject!.find(({ code }) => code === 'deploy.still_referenced')
    expect(refused?.related.map(({ path }) => path)).toContain('/body/flows/0/object')
  })

  it('follow a rename, and the names of fields stay', () => {
    const renames = [
      { type: 'object', from: 'invoice', to: 'bill' },
      { type: 'object', from: 'customer', to: 'buyer' },
    ] as const
    const renamed = planRename(view, renames).components.find(({ type }) => type === 'app')!
    const { flows } = (renamed as typeof billing).body
    expect(flows[0]!.object).toBe('bill')
    expect(flows[0]!.steps[0]!.sections[0]!.items.map(({ id, inputs }) => ({ id, ...inputs }))).toEqual([
      { id: 'number' },
      { id: 'who', field: 'customer' },
      { id: 'any', object: 'buyer' },
      { id: 'buyer' },
    ])
  })
})
