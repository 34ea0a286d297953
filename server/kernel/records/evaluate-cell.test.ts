// One cell of a stored record: replayed with what it had read, even if the records have changed since.
import { describe, expect, it } from 'vitest'
import { evaluateCell } from './evaluate-cell.ts'
import { billing, Generations } from './fixture.ts'
import type { FieldId, RecordState } from './record-state.ts'

const generations = new Generations()
const present = generations.add(billing())
const ids = (object: string): ReadonlyMap<string, FieldId> => present.names.fieldIds(object)
const record = (object: string, id: string, values: Record<string, string>): RecordState => ({
  ...{ id, object: present.names.objectId(object)!, bindings: new Map() },
  values: new Map(Object.entries(values).map(([key, value]) => [ids(object).get(key)!, value])),
})
const buyer = record('customer', 'c1', { name: 'Bea', country: 'AT' })
const invoice = record('invoice', 'i1', { customer: 'c1', tax_point: '2022-01-01', net: '100.00' })

const evaluate = (field: string, kept?: Record<string, unknown>): ReturnType<typeof evaluateCell> =>
  evaluateCell({
    ...{ object: invoice.object, field: ids('invoice').get(field)!, values: invoice.values },
    ...{ snapshot: present, scopePath: {}, children: [] },
    ...(kept === undefined ? {} : { kept }),
    loaded: (id) => (id === 'c1' ? buyer : undefined),
  })

describe('a cell', () => {
  it('reads the records', () => {
    expect(evaluate('tax')).toMatchObject({
      ...{ value: '20.00', problem: null, asOf: { field: 'tax_point', date: '2022-01-01' } },
      inputs: [
        { path: ['net'], value: '100' },
        { path: ['customer', 'country'], value: 'AT' },
      ],
    })
  })

  it('is replayed with what it had read along references and of virtual formulas', () => {
    expect(evaluate('tax', { 'customer.country': 'DE' })).toMatchObject({
      value: '19.00',
      inputs: [
        { path: ['net'], value: '100' },
        { path: ['customer', 'country'], value: 'DE' },
      ],
    })
    expect(evaluate('buyer', { 'customer.label': 'Ada (DE)' })!.value).toBe('Ada (DE)')
  })

  it('is replayed with the absent value that it had read', () => {
    expect(evaluate('buyer', { 'customer.label': null })!.value).toBeNull()
  })

  it('names what cannot be computed', () => {
    expect(evaluate('tax', { 'customer.country': 'XX' })).toMatchObject({
      value: null,
      problem: { field: 'tax', code: 'config.unknown_key' },
    })
  })

  it('is null for an entered field', () => {
    expect(evaluate('net')).toBeNull()
  })
})
