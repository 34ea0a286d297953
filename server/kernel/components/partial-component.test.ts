import { expect, it } from 'vitest'
import { parsePartialComponent } from './partial-component.ts'

const rate = { key: 'rate', type: 'number', precision: 6, scale: 4 }
const part = (body: unknown) => parsePartialComponent('config_set', { key: 'vat', body })

it('a partial component omits faults, and returns the places of the rest', () => {
  const fields = [{ key: 'pin', type: 'secret' }, rate, { ...rate, key: 'low', label: 7 }]
  expect(part({ cardinality: 'singleton', fields, scopes: ['user', 'nobody'], more: 1 })).toMatchObject({
    component: { type: 'config_set', key: 'vat', body: { fields: [rate, { ...rate, key: 'low' }] } },
    invalidProperties: expect.arrayContaining(['scopes', 'more']) as unknown,
    items: { fields: [1, 2] },
  })
})

it('a partial component omits each faulty item of a list, and no other', () => {
  const faulty = { key: 'pin', type: 'secret' }
  const fields = [faulty, faulty, rate, faulty, { ...rate, key: 'low' }]
  expect(part({ cardinality: 'singleton', fields })?.items).toEqual({ fields: [2, 4] })
})

it('a partial component ignores a property that is absent or invalid', () => {
  expect(part({ fields: [rate] })?.invalidProperties).toEqual(['cardinality'])
  expect(part({ cardinality: 'singleton', fields: 'none' })?.invalidProperties).toEqual(['fields'])
  expect(part({ cardinality: 'singleton', fields: [rate], asOfField: null })?.invalidProperties).toEqual([])
})

it.each([[null], ['text'], [[]]])('a partial component of %j is empty', (body) =>
  expect(part(body)).toBeNull(),
)
