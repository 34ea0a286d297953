import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Component, ComponentOf } from '../components/body-types.ts'
import { component, date } from '../components/rule-fixture.ts'
import type { ScopePath } from '../components/scopes.ts'
import type { Digest } from '../change/digest.ts'
import { addDays, dayOf } from '../dates/civil-date.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { explain } from './explain.ts'
import { resolve } from './resolve.ts'
import { buildSetSlice, generationSlice, SliceBuilder, updateSetSlice } from './slice.ts'
import type { SetSlice } from './slice-types.ts'

const digest = 'jcs1:sha256:00' as Digest

const rates = component('config_set/rates', {
  cardinality: 'keyed',
  keyedBy: { key: 'territory', type: 'text' },
  scopes: ['org', 'app', 'locale', 'permission_set', 'user', 'environment'],
  effectiveDated: true,
  asOfField: 'invoice.tax_point',
  fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
})

function entry(slug: string, rate: string, more: object): ComponentOf<'config_entry'> {
  const body = {
    set: 'rates',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: '2000-01-01',
    values: { rate },
  }
  return component(`config_entry/rates.${slug}`, { ...body, ...more })
}

const entries = [
  entry('org_1', '0.1', { effectiveTo: '2010-01-01' }),
  entry('org_2', '0.2', { effectiveFrom: '2010-01-01' }),
  entry('prod', '0.3', { scope: { kind: 'environment', environment: 'prod' }, effectiveTo: '2005-01-01' }),
  entry('shop', '0.4', { scope: { kind: 'app', app: 'shop' } }),
  entry('de', '0.5', { scope: { kind: 'locale', locale: 'de' } }),
  entry('de_at', '0.6', { scope: { kind: 'locale', locale: 'de-AT' }, effectiveFrom: '2015-01-01' }),
  entry('low', '0.7', { scope: { kind: 'permission_set', permissionSet: 'clerk' }, priority: 1 }),
  entry('high', '0.8', { scope: { kind: 'permission_set', permissionSet: 'lead' }, priority: 5 }),
  entry('mara', '0.9', { scope: { kind: 'user', user: 'mara' }, effectiveTo: '2020-01-01' }),
]

function sliceOf(...sets: SetSlice[]) {
  return generationSlice(7, new Map(sets.map((set) => [set.set, set])))
}

const slice = sliceOf(buildSetSlice(rates, entries, digest))

describe('resolve', () => {
  it.each<[string, ScopePath, string, string]>([
    ['org before the change', {}, '2009-12-31', 'org_1'],
    ['org from the first day of the next row', {}, '2010-01-01', 'org_2'],
    ['an environment over org', { environment: 'prod' }, '2004-12-31', 'prod'],
    ['a narrower range that ended falls through', { environment: 'prod' }, '2005-01-01', 'org_1'],
    ['a different environment does not match', { environment: 'test' }, '2004-12-31', 'org_1'],
    ['an app over an environment', { environment: 'prod', app: 'shop' }, '2004-01-01', 'shop'],
    ['the exact locale', { locale: 'de-AT' }, '2016-01-01', 'de_at'],
    ['a shorter locale while the exact one is not in force', { locale: 'de-AT' }, '2014-01-01', 'de'],
    [
      'the highest priority among permission sets',
      { permission_set: ['clerk', 'lead'] },
      '2016-01-01',
      'high',
    ],
    ['the only permission set', { permission_set: ['clerk'] }, '2016-01-01', 'low'],
    ['a user over all', { user: 'mara', permission_set: ['lead'], app: 'shop' }, '2016-01-01', 'mara'],
    ['a user whose row ended', { user: 'mara', permission_set: ['lead'] }, '2020-01-01', 'high'],
  ])('gives %s', (_, scopePath, asOf, slug) => {
    const found = resolve(slice, { set: 'rates', key: 'DE', scopePath, asOf: date(asOf) })
    expect(found.entry).toBe(`rates.${slug}`)
    expect(found.generation).toBe(7)
  })

  it.each<[string, { set?: string; key?: string | null; asOf?: string | null }, string, RegExp]>([
    ['an unknown set', { set: 'rate' }, 'config.unknown_set', /"rate".*Did you mean "rates"/],
    ['an unknown key', { key: 'DEE' }, 'config.unknown_key', /"DEE".*Did you mean "DE"/],
    ['a missing key', { key: null }, 'config.bad_key', /keyed by text/],
    ['no date', { asOf: null }, 'config.as_of_required', /effective-dated/],
    [
      'a day before the first',
      { asOf: '1999-12-31' },
      'config.not_effective',
      /"DE".*1999-12-31.*2000-01-01/,
    ],
  ])('refuses %s', (_, { set = 'rates', key = 'DE', asOf = '2016-01-01' }, code, message) => {
    const ask = () => resolve(slice, { set, key, scopePath: {}, asOf: asOf === null ? null : date(asOf) })
    expect(ask).toThrow(AlmanacError)
    expect(ask).toThrow(message)
    try {
      ask()
    } catch (error) {
      expect((error as AlmanacError).code).toBe(code)
    }
  })

  it('reads a flag from its default, and from its scope entries', () => {
    const flag = component('feature_flag/split', {
      owner: 'user:mara',
      expiresOn: '2030-01-01',
      scopes: ['org', 'environment'],
      default: false,
    })
    const on = component('config_entry/split.test', {
      set: 'split',
      scope: { kind: 'environment', environment: 'test' },
      values: { value: true },
    })
    const flags = sliceOf(buildSetSlice(flag, [on], digest))
    const ask = (environment: string) =>
      resolve(flags, { set: 'split', scopePath: { environment }, asOf: null }).values['value']
    expect([ask('prod'), ask('test')]).toEqual([false, true])
  })

  it('reads 1 and 1.0 as one key', () => {
    const set = component('config_set/tiers', {
      cardinality: 'keyed',
      keyedBy: { key: 'tier', type: 'number' },
      fields: [{ key: 'name', type: 'text' }],
    })
    const row = component('config_entry/tiers.one', {
      set: 'tiers',
      key: '1',
      scope: { kind: 'org' },
      values: { name: 'a' },
    })
    const tiers = sliceOf(buildSetSlice(set, [row], digest))
    expect(resolve(tiers, { set: 'tiers', key: '1.0', scopePath: {}, asOf: null }).entry).toBe('tiers.one')
  })
})

describe('explain', () => {
  it('names every scope tried and why it did not match', () => {
    const { steps, resolution } = explain(slice, {
      set: 'rates',
      key: 'DE',
      scopePath: { environment: 'prod', user: 'tom' },
      asOf: date('2016-01-01'),
    })
    expect(steps.map(({ scope, matched, reason }) => [scope, matched, reason])).toEqual([
      ['user=tom', false, 'the only user entry is for mara'],
      ['permission_set', false, 'the request has no permission set; there are entries for clerk, lead'],
      ['locale', false, 'the request has no locale; there are entries for de, de-AT'],
      ['app', false, 'the request has no app; there are entries for shop'],
      ['environment=prod', false, 'ended 31 Dec 2004, before 1 Jan 2016'],
      ['org', true, 'in effect from 1 Jan 2010, which includes 1 Jan 2016'],
    ])
    expect(resolution?.entry).toBe('rates.org_2')
  })

  it('returns the error instead of a value, with the steps', () => {
    const { error, steps } = explain(slice, {
      set: 'rates',
      key: 'DE',
      scopePath: {},
      asOf: date('1990-01-01'),
    })
    expect(error?.code).toBe('config.not_effective')
    expect(steps.at(-1)).toMatchObject({
      scope: 'org',
      matched: false,
      reason: 'starts 1 Jan 2000, after 1 Jan 1990',
    })
  })

  it('shows which permission set lost by priority', () => {
    const path = { permission_set: ['clerk', 'lead'] }
    const { steps } = explain(slice, { set: 'rates', key: 'DE', scopePath: path, asOf: date('2016-01-01') })
    expect(steps.at(-2)?.reason).toMatch(/priority 1 is not the highest/)
    expect(steps.at(-1)).toMatchObject({ scope: 'permission_set=lead', matched: true })
  })
})

describe('slices', () => {
  const key = fc.integer({ min: 0, max: 6000 }).map((n) => `K${n}`)
  const row = (k: string, days: number): Component =>
    component(`config_entry/rates.${k.toLowerCase()}_${days}`, {
      set: 'rates',
      key: k,
      scope: { kind: 'org' },
      effectiveFrom: addDays(date('2000-01-01'), days),
      values: { rate: '0.1' },
    })

  it('updated incrementally equal slices built at once, above the size of one shard too', () => {
    const many = Array.from({ length: 5000 }, (_, n) => row(`K${n}`, 0) as ComponentOf<'config_entry'>)
    const whole = buildSetSlice(rates, many, digest)
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer({ min: 1, max: 400 })), { maxLength: 8 }), (changes) => {
        const byKey = new Map(changes.map(([k, days]) => [k, row(k, days) as ComponentOf<'config_entry'>]))
        const updated = updateSetSlice(
          whole,
          rates,
          [...byKey].map(([k, each]) => ({ key: k, entries: [each] })),
          digest,
        )
        const rebuilt = buildSetSlice(
          rates,
          [...many.filter((e) => !byKey.has(e.body.key!)), ...byKey.values()],
          digest,
        )
        expect(updated.bytes).toBe(rebuilt.bytes)
        expect(updated.rowsByKey.size).toBe(rebuilt.rowsByKey.size)
        for (const k of [...byKey.keys(), 'K1', 'K4999'])
          expect(updated.rowsByKey.get(k)).toEqual(rebuilt.rowsByKey.get(k))
        // The older slice does not change: a reader keeps its generation.
        for (const k of byKey.keys())
          expect(whole.rowsByKey.get(k)?.org?.[0]?.from).toBe(
            Number(k.slice(1)) < 5000 ? dayOf(date('2000-01-01')) : undefined,
          )
      }),
      { numRuns: 30 },
    )
  })

  it('count the UTF-8 bytes of their texts', () => {
    const of = (key: string): number => buildSetSlice(rates, [entry('x', '0.1', { key })], digest).bytes
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (key) => {
        expect(of(key) - of('')).toBe(new TextEncoder().encode(key).length)
      }),
    )
  })

  it('remove a key without entries', () => {
    const updated = updateSetSlice(slice.sets.get('rates')!, rates, [{ key: 'DE', entries: [] }], digest)
    expect(updated.rowsByKey.get('DE')).toBeUndefined()
    expect(updated.bytes).toBe(0)
  })

  it('are in chronological order for entries in any order', () => {
    const builder = new SliceBuilder(rates)
    for (const each of [...entries].reverse()) builder.add(each)
    expect(
      builder
        .finish(digest)
        .rowsByKey.get('DE')
        ?.org?.map(({ entry }) => entry),
    ).toEqual(['rates.org_1', 'rates.org_2'])
  })
})
