// What a save computes: defaults, stored formulas with their bindings, and how long a value keeps its generation.
import { describe, expect, it } from 'vitest'
import type { FieldValue } from '../components/field-types.ts'
import { computeCells, type Shape } from './compute-cells.ts'
import { fieldValue } from './evaluate-record.ts'
import { billing, Generations, type Bodies } from './fixture.ts'
import type { FieldId, RecordSnapshot, RecordState } from './record-state.ts'
import { viewRecord } from './record-view.ts'

type Values = Readonly<Record<string, FieldValue>>

const customers: Readonly<Record<string, Values>> = {
  ada: { name: 'Ada', country: 'DE' },
  bob: { name: 'Bob', country: 'XX' },
}

class Org {
  readonly generations = new Generations()
  present: RecordSnapshot

  constructor(bodies: Bodies = billing()) {
    this.present = this.generations.add(bodies)
  }

  deploy(bodies: Bodies, renames = {}): void {
    this.present = this.generations.add(bodies, renames)
  }

  ids(object: string, values: Values): Map<FieldId, FieldValue> {
    const ids = this.present.names.fieldIds(object)
    return new Map(Object.entries(values).map(([key, value]) => [ids.get(key)!, value]))
  }

  loaded = (id: string): RecordState | undefined => {
    const values = customers[id]
    if (values === undefined) return undefined
    return { id, object: this.object('customer'), values: this.ids('customer', values), bindings: new Map() }
  }

  object(key: string): RecordState['object'] {
    const { names } = this.generations.at(1)
    return [`${key}@1` as RecordState['object']].find((id) => names.objectKey(id) !== undefined)!
  }

  add(values: Values): Shape {
    const entered = this.ids('invoice', values)
    const missing = new Set(
      [...this.present.names.fieldIds('invoice').values()].filter((id) => !entered.has(id)),
    )
    return this.#compute({ values: entered, bindings: new Map() }, missing, true)
  }

  change(before: Pick<Shape, 'values' | 'bindings'>, values: Values, recompute = false): Shape {
    const changed = new Map([...before.values, ...this.ids('invoice', values)])
    return this.#compute({ values: changed, bindings: before.bindings }, new Set(), false, recompute)
  }

  #compute(
    state: Pick<RecordState, 'values' | 'bindings'>,
    missing: Set<FieldId>,
    isNew: boolean,
    recompute = false,
  ): Shape {
    return computeCells({
      object: this.object('invoice'),
      ...state,
      inputs: new Map(),
      missing,
      isNew,
      recompute,
      dirty: new Set(),
      present: this.present,
      snapshotAt: (generation) => this.generations.at(generation),
      scopePath: { environment: 'test' },
      loaded: this.loaded,
    })
  }

  read(shape: Shape, ...keys: string[]): FieldValue[] {
    const ids = this.present.names.fieldIds('invoice')
    return keys.map((key) => shape.values.get(ids.get(key)!) ?? null)
  }

  binding(shape: Shape, key: string): unknown {
    return shape.bindings.get(this.present.names.fieldIds('invoice').get(key)!)
  }
}

const invoice = { number: 'R-1', customer: 'ada', tax_point: '2020-08-15', net: '100.00' }

describe('a new record', () => {
  const org = new Org()
  const shape = org.add(invoice)

  it('has stored formulas in the order of their dependencies, and defaults after what they read', () => {
    expect(org.read(shape, 'tax', 'total', 'reminder', 'state')).toEqual(['16.00', '116.00', '1.16', 'open'])
    expect(shape.problems).toEqual([])
  })

  it('has no values of virtual formulas, but they are computed from its values', () => {
    expect(org.read(shape, 'half')).toEqual([null])
    const record = { id: 'x', object: org.object('invoice'), values: shape.values, bindings: shape.bindings }
    const view = viewRecord(record, org.present, org.loaded)!
    expect(String(fieldValue({ snapshot: org.present, scopePath: {} }, view, 'half'))).toBe('58')
  })

  it('has no children', () => {
    expect(org.read(shape, 'lines', 'weight')).toEqual(['0', null])
    expect(org.binding(shape, 'weight')).toMatchObject({ generation: 1, config: {} })
  })

  it('binds each stored formula to its generation and configuration', () => {
    expect(org.binding(shape, 'tax')).toMatchObject({
      generation: 1,
      asOf: '2020-08-15',
      config: { vat: expect.stringMatching(/^jcs1:/) },
    })
    expect(org.binding(shape, 'total')).toEqual({
      generation: 1,
      asOf: null,
      config: {},
      functions: {},
      scopePath: {},
    })
  })

  it('keeps what its formulas read from other records', () => {
    const ids = org.present.names.fieldIds('invoice')
    expect(
      Object.fromEntries(
        [...shape.inputs].map(([id, read]) => [[...ids].find(([, of]) => of === id)![0], read]),
      ),
    ).toEqual({
      tax: { 'customer.country': 'DE' },
      buyer: { 'customer.label': 'Ada (DE)' },
    })
  })

  it('keeps an entered value instead of the default, also null', () => {
    expect(org.read(org.add({ ...invoice, state: 'paid', reminder: null }), 'state', 'reminder')).toEqual([
      'paid',
      null,
    ])
  })

  it('has absent values if what they read is absent, and a problem if they cannot be computed', () => {
    expect(org.read(org.add({ number: 'R-2', tax_point: '2020-08-15' }), 'tax', 'total', 'buyer')).toEqual([
      null,
      null,
      null,
    ])
    expect(org.add({ ...invoice, tax_point: '1999-01-01' }).problems).toMatchObject([
      { field: 'tax', code: 'config.not_effective' },
    ])
    expect(org.add({ ...invoice, customer: 'bob' }).problems).toMatchObject([
      { field: 'tax', code: 'config.unknown_key' },
    ])
    expect(org.add({ ...invoice, net: '9999999999.00' }).problems).toMatchObject([
      { field: 'total', code: 'record.value', message: expect.stringMatching(/does not fit/) },
    ])
  })
})

describe('a saved record', () => {
  it('keeps the generation of a bound value through later generations and unrelated edits', () => {
    const org = new Org()
    const first = org.add({ ...invoice, tax_point: '2022-01-01' })
    org.deploy(billing('0.2500'))
    const second = org.change(first, { net: '200.00' })
    expect(org.read(second, 'tax', 'total')).toEqual(['38.00', '238.00'])
    expect(org.binding(second, 'tax')).toEqual(org.binding(first, 'tax'))
    expect(org.binding(second, 'total')).toMatchObject({ generation: 2 })
  })

  it('is computed at the generation of the request if its as-of date changes, or if that is asked for', () => {
    const org = new Org()
    const first = org.add({ ...invoice, tax_point: '2022-01-01' })
    org.deploy(billing('0.2500'))
    const dated = org.change(first, { tax_point: '2022-01-02' })
    expect(org.read(dated, 'tax')).toEqual(['25.00'])
    expect(org.binding(dated, 'tax')).toMatchObject({ generation: 2, asOf: '2022-01-02' })
    expect(org.read(org.change(first, {}, true), 'tax', 'total')).toEqual(['25.00', '125.00'])
  })

  it('keeps the formula of the bound generation too, under the names of that generation', () => {
    const org = new Org()
    const first = org.add({ ...invoice, tax_point: '2022-01-01' })
    const bodies = billing('0.2500')
    const object = structuredClone(bodies['object/invoice']) as { fields: Record<string, unknown>[] }
    const renamed = object.fields.map((field) =>
      field['key'] === 'net'
        ? { ...field, key: 'amount', aliases: ['net'] }
        : field['key'] === 'tax'
          ? {
              ...field,
              formula: { expression: 'amount * 9 * config.vat(customer.country).rate', stored: true },
            }
          : field['key'] === 'total'
            ? { ...field, formula: { expression: 'amount + tax', stored: true } }
            : field,
    )
    org.deploy({ ...bodies, 'object/invoice': { fields: renamed } })
    const second = org.change(first, { amount: '300.00' })
    expect(org.read(second, 'amount', 'tax', 'total')).toEqual(['300.00', '57.00', '357.00'])
    expect(org.read(org.change(second, {}, true), 'tax')).toEqual(['675.00'])
  })

  it('computes a removed formula that a kept one reads, at its own generation', () => {
    const org = new Org()
    const bodies = billing()
    const bound = { expression: 'total + config.vat(customer.country).rate', stored: true }
    const object = structuredClone(bodies['object/invoice']) as { fields: Record<string, unknown>[] }
    const extra = { key: 'due', type: 'number', precision: 12, scale: 2, formula: bound }
    org.deploy({ ...bodies, 'object/invoice': { fields: [...object.fields, extra] } })
    const first = org.add({ ...invoice, tax_point: '2022-01-01' })
    expect(org.read(first, 'due')).toEqual(['119.19'])
    const rest = object.fields.filter(
      ({ key }) => !['tax', 'total', 'half', 'reminder'].includes(String(key)),
    )
    org.deploy({
      ...bodies,
      'object/invoice': { fields: [...rest, { ...extra, formula: { expression: 'net', stored: true } }] },
    })
    expect(org.read(org.change(first, { net: '200.00' }), 'due')).toEqual(['238.19'])
    expect(org.read(org.change(first, {}, true), 'due')).toEqual(['100.00'])
  })

  it('does not apply a default again', () => {
    const org = new Org()
    const cleared = org.change(org.add(invoice), { state: null })
    expect(org.read(cleared, 'state')).toEqual([null])
  })
})
