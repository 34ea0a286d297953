import { describe, expect, it } from 'vitest'
import type { Component } from '../body-types.ts'
import { component, contextOf, findingsOf, codesWithPaths } from '../rule-fixture.ts'
import { frozenRemoval } from './frozen-change.ts'
import { normaliseEntry } from './normalise.ts'
import { entryTarget, valueReferences } from './references.ts'

const kinds = component('value_set/kind', {
  values: [
    { key: 'standard', label: 'Standard' },
    { key: 'parking', label: 'Parking', active: false },
  ],
})
const vat = component('config_set/vat', {
  cardinality: 'keyed',
  keyedBy: { key: 'country', type: 'text' },
  scopes: ['user', 'permission_set', 'environment', 'org'],
  effectiveDated: true,
  asOfField: 'invoice.tax_date',
  fields: [
    { key: 'rate', type: 'number', precision: 6, scale: 4, required: true },
    { key: 'kind', type: 'enum', valueSet: 'kind' },
    { key: 'since', type: 'date' },
    { key: 'note', type: 'text' },
    { key: 'active', type: 'boolean' },
    { key: 'api', type: 'credential_reference' },
  ],
})
const limit = component('config_set/limit', {
  cardinality: 'singleton',
  fields: [{ key: 'days', type: 'number', precision: 3, scale: 0 }],
})
const tier = component('config_set/tier', {
  cardinality: 'keyed',
  keyedBy: { key: 'level', type: 'number' },
  fields: [],
})
const share = component('config_set/share', {
  cardinality: 'keyed',
  keyedBy: { key: 'kind', type: 'enum', valueSet: 'kind' },
  fields: [],
})
const flag = component('feature_flag/fresh', {
  owner: 'user:mara',
  expiresOn: '2027-01-01',
  scopes: ['environment', 'org'],
})
const frozen = component('feature_flag/frozen', {
  owner: 'user:mara',
  expiresOn: '2026-05-31',
  scopes: ['environment', 'org'],
})
const others: Component[] = [kinds, vat, limit, tier, share, flag, frozen]

/** As in JSON. */
type Body = { set: string; [property: string]: unknown }

const de = {
  set: 'vat',
  key: 'DE',
  scope: { kind: 'org' },
  effectiveFrom: '2020-01-01',
  values: { rate: '0.19' },
}
const values = (given: object) => ({ ...de, values: { rate: '0.19', ...given } })
const prod = { kind: 'environment', environment: 'prod' }
const on = { set: 'fresh', scope: prod, values: { value: true } }

const check = (body: Body, slug = 'x') =>
  codesWithPaths(findingsOf(component(`config_entry/${body.set}.${slug}`, body), { others }))

describe('a configuration entry', () => {
  const cases: [string, Body, string[]][] = [
    ['that fits', values({ kind: 'standard', since: '2020-02-29', note: '', active: false }), []],
    ['of no set', { ...de, set: 'vatt' }, ['config.set_missing /body/set']],
    [
      'at a kind that the set lacks',
      { ...de, scope: { kind: 'app', app: 'tax' } },
      ['config.scope_not_declared /body/scope/kind'],
    ],
    [
      'at a permission set without priority',
      { ...de, scope: { kind: 'permission_set', permissionSet: 'tax' } },
      ['config.priority_missing /body'],
    ],
    [
      'at a permission set with priority',
      { ...de, scope: { kind: 'permission_set', permissionSet: 'tax' }, priority: 1 },
      [],
    ],
    ['at org with priority', { ...de, priority: 1 }, ['config.priority_not_allowed /body/priority']],
    [
      'at a user who is not there',
      { ...de, scope: { kind: 'user', user: 'marra' } },
      ['config.scope_user /body/scope/user'],
    ],
    ['without a first day', { ...de, effectiveFrom: undefined }, ['config.dates_required /body']],
    [
      'that ends on its first day',
      { ...de, effectiveTo: '2020-01-01' },
      ['config.range_empty /body/effectiveTo'],
    ],
    [
      'with dates, of a set without',
      {
        set: 'limit',
        scope: { kind: 'org' },
        effectiveFrom: '2020-01-01',
        effectiveTo: '2021-01-01',
        values: {},
      },
      ['config.dates_not_allowed /body/effectiveFrom', 'config.dates_not_allowed /body/effectiveTo'],
    ],
    ['without a key', { ...de, key: undefined }, ['config.key_missing /body']],
    [
      'with a key, of a singleton',
      { set: 'limit', key: 'a', scope: { kind: 'org' }, values: {} },
      ['config.key_not_allowed /body/key'],
    ],
    [
      'with a key of another type',
      { set: 'tier', key: 'one', scope: { kind: 'org' }, values: {} },
      ['config.key_type /body/key'],
    ],
    [
      'with a key that contains invisible characters',
      { ...de, key: 'DE\u202e' },
      ['config.key_unseen /body/key'],
    ],
    ['with a key that joins letters', { ...de, key: 'می\u200cخواهم' }, []],
    ['with an unknown field', values({ rat: '1' }), ['config.value_unknown_field /body/values/rat']],
    ['without a required value', { ...de, values: {} }, ['config.value_required /body/values/rate']],
    [
      'with a null for a required value',
      { ...de, values: { rate: null } },
      ['config.value_required /body/values/rate'],
    ],
    ['with a percent sign', { ...de, values: { rate: '19%' } }, ['config.value_type /body/values/rate']],
    [
      'with too many digits after the point',
      { ...de, values: { rate: '0.19555' } },
      ['config.value_scale /body/values/rate'],
    ],
    [
      'with too many digits before the point',
      { ...de, values: { rate: '123.4' } },
      ['config.value_precision /body/values/rate'],
    ],
    [
      'with a boolean for a number',
      { ...de, values: { rate: true } },
      ['config.value_type /body/values/rate'],
    ],
    [
      'with a value outside of its set',
      values({ kind: 'standart' }),
      ['config.value_enum /body/values/kind'],
    ],
    [
      'keyed by an inactive value',
      { set: 'share', key: 'parking', scope: { kind: 'org' }, values: {} },
      ['config.value_inactive /body/key'],
    ],
    ['with an inactive value', values({ kind: 'parking' }), ['config.value_inactive /body/values/kind']],
    ['with 30 February', values({ since: '2020-02-30' }), ['config.value_type /body/values/since']],
    ['with text for a boolean', values({ active: 'true' }), ['config.value_type /body/values/active']],
    ['of a flag', on, []],
    ['of a flag, at org', { ...on, scope: { kind: 'org' } }, ['flag.org_entry /body/scope']],
    ['of a flag, with text', { ...on, values: { value: 'true' } }, ['config.value_type /body/values/value']],
    ['of a flag, without a value', { ...on, values: {} }, ['config.value_required /body/values/value']],
    [
      'of a flag, with another field',
      { ...on, values: { value: true, on: true } },
      ['config.value_unknown_field /body/values/on'],
    ],
    [
      'of a flag, with key and dates',
      { ...on, key: 'a', effectiveFrom: '2020-01-01' },
      ['config.dates_not_allowed /body/effectiveFrom', 'config.key_not_allowed /body/key'],
    ],
    [
      'of a flag, at a kind that it lacks',
      { ...on, scope: { kind: 'user', user: 'mara' } },
      ['config.scope_not_declared /body/scope/kind'],
    ],
  ]
  it.each(cases)('%s', (_name, body, expected) => expect(check(body)).toEqual(expected))

  it('begins with the key of its set', () => {
    const [finding] = findingsOf(component('config_entry/vta.de', de), { others })
    expect(finding).toMatchObject({ code: 'key.entry_set', path: '/key' })
    expect(finding?.message).toContain('write "vat.de"')
  })

  it('names the fix', () => {
    const say = (body: object) =>
      findingsOf(component('config_entry/vat.x', body), { others }).map(({ message }) => message)[0]
    expect(say({ ...de, values: { rate: '19%' } })).toContain('Write 0.19')
    expect(say(values({ kind: 'standart' }))).toContain('Did you mean "standard"?')
    expect(say({ ...de, scope: { kind: 'app', app: 'tax' } })).toContain(
      'does not declare the scope kind "app"',
    )
    expect(say({ ...de, set: 'vta' })).toContain('"vta"')
  })
})

describe('an entry in normal form', () => {
  const { view } = contextOf(others)
  const normal = (body: Body) => normaliseEntry(component(`config_entry/${body.set}.x`, body), view)

  it('has numbers with the digits of their scale and no nulls', () => {
    expect(normal(values({ kind: null })).body.values).toEqual({ rate: '0.1900' })
    expect(normal({ ...de, values: { rate: '-0' } }).body.values).toEqual({ rate: '0.0000' })
  })
  it('has one key for 1, 1.0 and "1.00"', () => {
    const keys = [1, 1.0, '1.00'].map(
      (key) => normal({ set: 'tier', key, scope: { kind: 'org' }, values: {} }).body.key,
    )
    expect(keys).toEqual(['1', '1', '1'])
  })
  it('keeps invalid values, for the rules to report', () => {
    expect(normal({ ...de, values: { rate: '19%', other: '1.0' } }).body.values).toEqual({
      rate: '19%',
      other: '1.0',
    })
  })
  it('is the same object if nothing changes', () => {
    const entry = component('config_entry/vat.x', { ...de, values: { rate: '0.1900' } })
    expect(normaliseEntry(entry, view)).toBe(entry)
  })
  it('has an explicit open end, and none if it has no dates', () => {
    expect(component('config_entry/vat.x', de).body).toHaveProperty('effectiveTo', null)
    expect(component('config_entry/fresh.x', { ...on, effectiveTo: null }).body).not.toHaveProperty(
      'effectiveTo',
    )
  })
})

describe('an entry of a frozen flag', () => {
  const entry = (value: boolean) =>
    component('config_entry/frozen.prod', { set: 'frozen', scope: prod, values: { value } })
  const extended = component('feature_flag/frozen', {
    owner: 'user:mara',
    expiresOn: '2026-12-31',
    scopes: ['environment', 'org'],
    rationale: 'Still on trial.',
  })

  it('cannot be added or changed', () => {
    expect(codesWithPaths(findingsOf(entry(true), { others, base: [frozen] }))).toEqual(['flag.frozen '])
    expect(codesWithPaths(findingsOf(entry(true), { others, base: [frozen, entry(false)] }))).toEqual([
      'flag.frozen /body',
    ])
  })
  it('can stay, be added with a new flag, and change once the expiry is extended', () => {
    expect(findingsOf(entry(true), { others, base: [frozen, entry(true)] })).toEqual([])
    expect(findingsOf(entry(true), { others, base: [] })).toEqual([])
    expect(findingsOf(entry(true), { others: [extended], base: [frozen, entry(false)] })).toEqual([])
  })
  it('cannot be removed', () => {
    expect(
      codesWithPaths(frozenRemoval(entry(true), contextOf([frozen], { base: [frozen, entry(true)] }))),
    ).toEqual(['flag.frozen '])
    expect(frozenRemoval(entry(true), contextOf([extended], { base: [frozen, entry(true)] }))).toEqual([])
    expect(frozenRemoval(entry(true), contextOf([], { base: [frozen, entry(true)] }))).toEqual([])
  })
  it('can be changed on the last day', () => {
    expect(findingsOf(entry(true), { others, base: [frozen, entry(false)], today: '2026-05-31' })).toEqual([])
  })
})

describe('the edges of an entry', () => {
  it('lead to the set, or to the flag if only that has the key', () => {
    const { view } = contextOf(others)
    expect(entryTarget(view, 'vat')).toBe('config_set/vat')
    expect(entryTarget(view, 'fresh')).toBe('feature_flag/fresh')
    expect(entryTarget(view, 'nothing')).toBe('config_set/nothing')
  })
  it('lead to the credential of either kind that a value names', () => {
    const external = component('external_credential/login', { scheme: 'basic', principals: [{ key: 'a' }] })
    const entry = component('config_entry/vat.x', values({ api: 'login' }))
    const to = (...more: Component[]) => valueReferences(entry, vat, contextOf([...others, ...more]).view)
    expect(to(external)).toEqual([{ path: '/body/values/api', to: 'external_credential/login' }])
    expect(to()).toEqual([{ path: '/body/values/api', to: 'named_credential/login' }])
  })
})
