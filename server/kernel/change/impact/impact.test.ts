import { describe, expect, it } from 'vitest'
import type { Component } from '../../components/body-types.ts'
import { MemoryView } from '../../components/memory-view.ts'
import { component, date } from '../../components/rule-fixture.ts'
import { lazySetSlice } from '../../config/index.ts'
import { dayOf } from '../../dates/civil-date.ts'
import { buildGraph, updateGraph } from '../../graph/index.ts'
import { buildCandidate } from '../candidate.ts'
import { RenameIndex } from '../rename-index.ts'
import { flipsOf, impactReaders, laneChanges, scopeNamesOf, affectedKeys, type Subject } from './index.ts'

const rate = (slug: string, from: string, to: string | null, value: string, more: object = {}): Component =>
  component(`config_entry/vat.${slug}`, {
    ...{ set: 'vat', key: 'DE', scope: { kind: 'org' }, effectiveFrom: from, effectiveTo: to },
    values: { rate: value },
    ...more,
  })
const vat = component('config_set/vat', {
  cardinality: 'keyed',
  keyedBy: { key: 'territory', type: 'text' },
  scopes: ['org', 'environment'],
  effectiveDated: true,
  asOfField: 'invoice.day',
  fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
})
const flag = (value: boolean): Component =>
  component('feature_flag/beta', {
    owner: { user: 'mara' },
    expiresOn: '2099-01-01',
    scopes: ['user', 'permission_set', 'app', 'org'],
    default: value,
  })
const flagEntry = (slug: string, scope: object, value: boolean, more: object = {}): Component =>
  component(`config_entry/beta.${slug}`, { set: 'beta', scope, values: { value }, ...more })
const invoice = component('object/invoice', {
  fields: [
    { key: 'name', type: 'text', required: true },
    { key: 'day', type: 'date', required: true },
    {
      key: 'gross',
      type: 'number',
      precision: 12,
      scale: 2,
      formula: { expression: 'gross(1)', stored: true },
    },
    { key: 'paid', type: 'boolean' },
  ],
  nameField: 'name',
})
const base: Component[] = [
  vat,
  rate('de_2007', '2007-01-01', null, '0.1900'),
  flag(false),
  flagEntry('tax', { kind: 'permission_set', permissionSet: 'tax' }, true, { priority: 1 }),
  component('permission_set/tax', { systemPermissions: [] }),
  component('calc_function/gross', {
    params: [{ key: 'net', type: 'number' }],
    returns: 'number',
    expression: 'net * (1 + config.vat("DE").rate)',
  }),
  invoice,
  component('list_view/open', { object: 'invoice', columns: ['name'], filter: 'gross > 0', orderBy: [] }),
  component('list_view/paid', { object: 'invoice', columns: ['name'], filter: 'paid', orderBy: [] }),
]

function over(given: Component[], removals: string[] = []) {
  const view = new MemoryView(base)
  const components = given.map((each) => ({ component: each, hints: {} }))
  const { changes, view: after } = buildCandidate(view, { components, removals: removals as never })
  const graph = updateGraph(
    buildGraph(view),
    changes.map(({ id }) => id),
    after,
  )
  return { view, changes, after, graph }
}

const shorter = rate('de_2007', '2007-01-01', '2027-01-01', '0.1900')
const next = rate('de_2027', '2027-01-01', null, '0.2100')

describe('laneChanges', () => {
  const changesOf = (given: Component[], key: string | null = 'DE', set = 'vat', removals: string[] = []) => {
    const { view, after } = over(given, removals)
    return laneChanges(set, key, view, after).map(({ scope, from, to, before, after: now }) => [
      scope.kind,
      from,
      to,
      before?.['rate'] ?? before?.['value'] ?? null,
      now?.['rate'] ?? now?.['value'] ?? null,
    ])
  }

  it('returns the days from which a rate differs, and none if a split changes no value', () => {
    expect(changesOf([shorter, next])).toEqual([['org', '2027-01-01', null, '0.1900', '0.2100']])
    expect(changesOf([shorter, rate('de_2027', '2027-01-01', null, '0.1900')])).toEqual([])
  })

  it('joins adjacent days with the same change, and separates others', () => {
    const cut = rate('de_2007', '2007-01-01', '2020-07-01', '0.1900')
    const low = rate('de_low', '2020-07-01', '2020-10-01', '0.1600')
    const low2 = rate('de_low2', '2020-10-01', '2021-01-01', '0.1600')
    const back = rate('de_2021', '2021-01-01', '2027-01-01', '0.1900')
    expect(changesOf([cut, low, low2, back, next])).toEqual([
      ['org', '2020-07-01', '2021-01-01', '0.1900', '0.1600'],
      ['org', '2027-01-01', null, '0.1900', '0.2100'],
    ])
  })

  it('distinguishes scopes, and returns null without a value', () => {
    const prod = rate('de_prod', '2025-01-01', '2026-01-01', '0.0000', {
      scope: { kind: 'environment', environment: 'prod' },
    })
    expect(changesOf([prod])).toEqual([['environment', '2025-01-01', '2026-01-01', null, '0.0000']])
    expect(changesOf([rate('fr', '2000-01-01', null, '0.2', { key: 'FR' })], 'FR')).toEqual([
      ['org', '2000-01-01', null, null, '0.2000'],
    ])
    expect(changesOf([], 'DE', 'vat', ['config_entry/vat.de_2007'])).toEqual([
      ['org', '2007-01-01', null, '0.1900', null],
    ])
  })

  it('counts a flag’s default as its row at org', () => {
    expect(changesOf([flag(true)], null, 'beta')).toEqual([['org', null, null, false, true]])
  })
})

describe('ListRenames', () => {
  const at = (scope: object) => rate('de_x', '2020-01-01', null, '0.0500', { scope })
  const app = (key: string) => component(`app/${key}`, { objects: [], order: 1, pages: [] })
  const lanes = (given: { component: Component; hints: object }[], first: Component[] = []) => {
    const view = new MemoryView([...base, ...first])
    const { changes, view: after } = buildCandidate(view, { components: given, removals: [] })
    const renames = new RenameIndex(changes)
    return [...affectedKeys(changes, renames)].flatMap(([set, keys]) =>
      [...keys].flatMap((key) => laneChanges(set, key, view, after, renames)),
    )
  }
  const renamed = (from: string, to: Component) => ({ component: to, hints: { renamedFrom: from } })
  const definition = base.find(({ type, key }) => type === 'config_set' && key === 'vat')!

  it('finds no changed value in a renamed set', () => {
    const moved = { ...definition, key: 'tax' } as Component
    expect(lanes([renamed('vat', moved)])).toEqual([])
  })

  it('finds no changed value in a renamed app', () => {
    expect(lanes([renamed('shop', app('store'))], [app('shop'), at({ kind: 'app', app: 'shop' })])).toEqual(
      [],
    )
  })

  it('follows keys that are swapped, reused and added', () => {
    const rename = (from: string, id: string) =>
      ({ kind: 'renamed', id: `config_set/${id}`, from: `config_set/${from}` }) as never
    const names = new RenameIndex([
      rename('a', 'b'),
      rename('b', 'c'),
      { kind: 'added', id: 'config_set/a' } as never,
    ])
    expect(['a', 'b', 'c', 'd'].map((key) => names.setBefore(key))).toEqual([null, 'a', 'b', 'd'])
    expect(['a', 'b', 'c'].map((key) => names.setAfter(key))).toEqual(['b', 'c', 'c'])
  })
})

describe('touchedKeys', () => {
  it('names the keys of entries, and the one key of a flag', () => {
    const { changes } = over([
      shorter,
      next,
      flag(true),
      rate('fr', '2000-01-01', null, '0.2', { key: 'FR' }),
    ])
    expect([...affectedKeys(changes)].map(([set, keys]) => [set, [...keys]])).toEqual([
      ['vat', ['DE', 'FR']],
      ['beta', [null]],
    ])
  })
})

describe('impactReaders', () => {
  it('lists the readers of a set whose entry changes, and their readers, by the field that passes it on', () => {
    const { changes, graph } = over([shorter, next])
    expect(
      impactReaders(changes, graph).map(({ id, direct, through, paths }) => [id, direct, through, paths]),
    ).toEqual([
      ['calc_function/gross', true, ['config_set/vat'], ['/body/expression']],
      ['list_view/open', false, ['object/invoice'], ['/body/filter']],
      ['object/invoice', false, ['calc_function/gross'], ['/body/fields/2/formula/expression']],
    ])
  })

  it('marks those that the list changes itself', () => {
    const other = { ...invoice, label: 'Bill' } as Component
    const { changes, graph } = over([shorter, next, other])
    const found = impactReaders(changes, graph)
    expect(found.find(({ id }) => id === 'object/invoice')).toMatchObject({ changed: true })
    expect(found.find(({ id }) => id === 'list_view/paid')).toMatchObject({ direct: true, changed: false })
  })
})

describe('flipsOf', () => {
  const subjects: Subject[] = [
    { kind: 'everyone', key: '', path: {} },
    { kind: 'app', key: 'shop', path: { app: 'shop' } },
    { kind: 'user', key: 'ann', path: { user: 'ann', permission_set: ['tax'] } },
    { kind: 'user', key: 'ben', path: { user: 'ben', permission_set: [] } },
    { kind: 'user', key: 'cleo', path: { user: 'cleo', permission_set: [] } },
  ]
  const flips = (given: Component[], removals: string[] = []) => {
    const { view, after } = over(given, removals)
    const [was, is] = [view, after].map((each) => lazySetSlice(each.get('feature_flag', 'beta')!, each))
    return flipsOf('beta', null, was, is, subjects, dayOf(date('2026-11-21'))).map(
      ({ kind, before, after: now, who }) => [kind, before?.['value'], now?.['value'], who],
    )
  }

  it('of a default flips for everyone except those with an entry', () => {
    expect(flips([flag(true)])).toEqual([
      ['everyone', false, true, ['']],
      ['app', false, true, ['shop']],
      ['user', false, true, ['ben', 'cleo']],
    ])
  })

  it('of an entry flips for those whom it names', () => {
    expect(
      flips([
        flagEntry('shop', { kind: 'app', app: 'shop' }, true),
        component('app/shop', { objects: [], pages: [], flows: [] }),
      ]),
    ).toEqual([['app', false, true, ['shop']]])
    expect(flips([], ['config_entry/beta.tax'])).toEqual([['user', true, false, ['ann']]])
  })

  it('collects the users, apps and permission sets that entries name before and after', () => {
    const { view, after } = over(
      [flagEntry('shop', { kind: 'app', app: 'shop' }, true)],
      ['config_entry/beta.tax'],
    )
    const sides = [view, after].map((each) => lazySetSlice(each.get('feature_flag', 'beta')!, each))
    expect(scopeNamesOf(null, sides)).toEqual({
      app: ['shop'],
      locale: [],
      permission_set: ['tax'],
      environment: [],
    })
  })
})
