// What a save computes: defaults, stored formulas with their bindings, and how long a value keeps its generation.
import { describe, expect, it } from 'vitest'
import type { Shape } from './compute-cells.ts'
import { invoice, Org } from './shape-fixture.ts'
import { fieldValue } from './evaluate-record.ts'
import { billing } from './fixture.ts'
import { viewRecord } from './record-view.ts'

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

  it('keeps what is entered into a field that was computed before', () => {
    const org = new Org()
    const first = org.add({ ...invoice, tax_point: '2022-01-01' })
    const bodies = billing()
    const fields = (bodies['object/invoice'] as { fields: Record<string, unknown>[] }).fields.map(
      ({ formula, ...field }) => (field['key'] === 'tax' ? field : { ...field, formula }),
    )
    org.deploy({ ...bodies, 'object/invoice': { fields } })
    const tax = org.present.names.fieldIds('invoice').get('tax')!
    expect(first.bindings.has(tax)).toBe(true)
    const second = org.change(first, { tax: '5.00' })
    expect(org.read(second, 'tax', 'total')).toEqual(['5.00', '105.00'])
    expect(second.bindings.has(tax)).toBe(false)
  })

  it('releases with a recompute the generation of a field that was removed', () => {
    const org = new Org()
    const first = org.add({ ...invoice, tax_point: '2022-01-01' })
    const bodies = billing()
    const fields = (bodies['object/invoice'] as { fields: Record<string, unknown>[] }).fields.filter(
      ({ key }) => !['tax', 'total', 'half', 'reminder'].includes(String(key)),
    )
    org.deploy({ ...bodies, 'object/invoice': { fields } })
    const generations = (shape: Shape): number[] => [
      ...new Set([...shape.bindings.values()].map(({ generation }) => generation)),
    ]
    expect(generations(org.change(first, {}))).toContain(1)
    expect(generations(org.change(first, {}, true))).toEqual([2])
  })

  it('does not apply a default again', () => {
    const org = new Org()
    const cleared = org.change(org.add(invoice), { state: null })
    expect(org.read(cleared, 'state')).toEqual([null])
  })
})
