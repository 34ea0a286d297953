import { describe, expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { component } from '../components/rule-fixture.ts'
import type { ScopePath } from '../components/scopes.ts'
import { lazySetSlice, lazySnapshot, resolve, segmentsOf } from './index.ts'

const rate = (
  slug: string,
  from: string,
  to: string | null,
  value: string,
  scope: object = { kind: 'org' },
): Component =>
  component(`config_entry/vat.${slug}`, {
    ...{ set: 'vat', key: 'DE', scope, effectiveFrom: from, effectiveTo: to },
    values: { rate: value },
  })
const view = new MemoryView([
  component('config_set/vat', {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['environment', 'org'],
    effectiveDated: true,
    asOfField: 'invoice.day',
    fields: [{ key: 'rate', type: 'number', precision: 4, scale: 2 }],
  }),
  rate('a', '2000-01-01', '2010-01-01', '0.16'),
  rate('b', '2010-01-01', null, '0.19'),
  rate('prod', '2005-01-01', '2006-01-01', '0.00', { kind: 'environment', environment: 'prod' }),
  component('feature_flag/beta', { owner: { user: 'mara' }, expiresOn: '2099-01-01', default: true }),
])
const vat = lazySetSlice(view.get('config_set', 'vat')!, view)
const days = (path: ScopePath, key = 'DE') =>
  segmentsOf(vat, key, path).map(({ from, to, values }) => [from, to, values['rate']])

describe('segmentsOf', () => {
  it('returns the days of each entry that applies, along the chain of the viewer', () => {
    expect(days({})).toEqual([
      ['2000-01-01', '2010-01-01', '0.16'],
      ['2010-01-01', null, '0.19'],
    ])
    expect(days({ environment: 'prod' })).toEqual([
      ['2000-01-01', '2005-01-01', '0.16'],
      ['2005-01-01', '2006-01-01', '0.00'],
      ['2006-01-01', '2010-01-01', '0.16'],
      ['2010-01-01', null, '0.19'],
    ])
    expect(days({}, 'FR')).toEqual([])
  })

  it('has one segment without days for a flag', () => {
    const flag = lazySetSlice(view.get('feature_flag', 'beta')!, view)
    expect(segmentsOf(flag, '', {})).toMatchObject([
      { from: null, to: null, entry: 'beta', values: { value: true } },
    ])
  })
})

describe('a snapshot read key by key', () => {
  it('equals a snapshot built in one step', () => {
    const { slice } = lazySnapshot(view, 7)
    const request = { set: 'vat', key: 'DE', scopePath: {}, asOf: '2004-01-01' as never }
    expect(resolve(slice, request)).toMatchObject({ generation: 7, entry: 'vat.a', values: { rate: '0.16' } })
    expect(() => resolve(slice, { ...request, key: 'FR' })).toThrow(/no key "FR"/)
    expect(() => resolve(slice, { ...request, set: 'vta' })).toThrow(/Did you mean "vat"/)
  })
})
