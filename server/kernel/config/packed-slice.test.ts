// A slice that was sent to another thread returns the same rows as the original.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ComponentOf } from '../components/body-types.ts'
import { component, date } from '../components/rule-fixture.ts'
import type { Scope } from '../components/scopes.ts'
import type { Digest } from '../change/digest.ts'
import { addDays } from '../dates/civil-date.ts'
import { packSlice, unpackSlice } from './packed-slice.ts'
import { buildSetSlice, updateSetSlice } from './slice.ts'
import type { SetSlice } from './slice-types.ts'

type Entry = ComponentOf<'config_entry'>

const digest = 'jcs1:sha256:00' as Digest
const rates = component('config_set/rates', {
  cardinality: 'keyed',
  keyedBy: { key: 'territory', type: 'text' },
  scopes: ['org', 'app', 'locale', 'permission_set', 'user', 'environment'],
  effectiveDated: true,
  asOfField: 'invoice.tax_point',
  fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
})

const scope = fc.oneof<fc.Arbitrary<Scope>[]>(
  fc.constant({ kind: 'org' }),
  fc.constantFrom('prod', 'test').map((environment) => ({ kind: 'environment', environment })),
  fc.constantFrom('de', 'de-AT').map((locale) => ({ kind: 'locale', locale })),
  fc.constant({ kind: 'permission_set', permissionSet: 'clerk' }),
)
const entry = fc
  .record({
    key: fc.constantFrom('DE', 'ÅX', '', '__proto__', 'K"\n'),
    scope,
    from: fc.nat({ max: 9 }),
    open: fc.boolean(),
    priority: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    values: fc.dictionary(
      fc.constantFrom('rate', 'note'),
      fc.oneof(fc.string(), fc.boolean(), fc.constant(null)),
    ),
  })
  .map(({ from, open, ...rest }) => {
    const effectiveFrom = addDays(date('2000-01-01'), from * 10)
    const effectiveTo = open && from === 9 ? null : addDays(effectiveFrom, 10)
    return { set: 'rates', ...rest, effectiveFrom, effectiveTo }
  })
const entries = fc
  .array(entry, { maxLength: 30 })
  .map((list) => list.map((body, at) => component(`config_entry/rates.e${at}`, body) as Entry))

const crossed = (slice: SetSlice): SetSlice => {
  const sent = structuredClone(packSlice(slice, (text, size) => ({ size, text })))
  return unpackSlice({
    ...sent,
    shards: sent.shards.map(({ size, text }) => ({ size, text: () => text })),
  })
}
const contentOf = ({ rowsByKey, ...facts }: SetSlice): unknown => [
  facts,
  [...rowsByKey.keys()].map((key) => [key, rowsByKey.get(key)]),
]

it('a packed slice equals the original, read in any order, and after a change', () => {
  fc.assert(
    fc.property(entries, entries, (first, changes) => {
      const slice = buildSetSlice(rates, first, digest)
      const copy = crossed(slice)
      expect(copy.rowsByKey.size).toBe(slice.rowsByKey.size)
      const byKey = Map.groupBy(changes, ({ body }) => body.key ?? null)
      const changed = [...byKey].map(([key, list]) => ({ key, entries: list }))
      const [after, afterSent] = [slice, copy].map((each) => updateSetSlice(each, rates, changed, digest))
      expect(contentOf(afterSent!)).toEqual(contentOf(after!))
      expect(contentOf(copy)).toEqual(contentOf(slice))
      expect(contentOf(crossed(copy))).toEqual(contentOf(slice))
    }),
  )
})

it('a packed slice reads a shard once, when one of its keys is requested', () => {
  const many = Array.from({ length: 5000 }, (_, n): Entry => {
    const body = { set: 'rates', key: `K${n}`, scope: { kind: 'org' }, values: { rate: '0.1' } }
    return component(`config_entry/rates.k${n}`, { ...body, effectiveFrom: '2000-01-01' })
  })
  const { header, shards } = packSlice(buildSetSlice(rates, many, digest), (text, size) => ({
    size,
    text,
  }))
  const read: number[] = []
  const slice = unpackSlice({
    header,
    shards: shards.map(({ size, text }, at) => ({ size, text: () => (read.push(at), text) })),
  })
  expect(slice.rowsByKey.size).toBe(5000)
  expect(read).toEqual([])
  for (let round = 0; round < 2; round += 1) expect(slice.rowsByKey.get('K4711')?.firstDay).toBe(10957)
  expect(read).toHaveLength(1)
  expect([...slice.rowsByKey.keys()]).toHaveLength(5000)
  expect(read.toSorted((a, b) => a - b)).toEqual(shards.map((_, at) => at))
})
