import { describe, expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import type { ApplyHints } from '../components/component.ts'
import { MemoryView } from '../components/memory-view.ts'
import { component, date, principals } from '../components/rule-fixture.ts'
import { buildCandidate } from './candidate.ts'
import { validateCandidate } from './validate.ts'

const set = (key: string, label = key): Component =>
  ({
    ...component(`config_set/${key}`, {
      cardinality: 'singleton',
      scopes: ['org'],
      fields: [{ key: 'v', type: 'text' }],
    }),
    label,
  }) as Component
const entry = (of: string, v: string): Component =>
  component(`config_entry/${of}.all`, { set: of, scope: { kind: 'org' }, values: { v } })
const reader = (expression: string): Component =>
  component('calc_function/f', { params: [], returns: 'text', expression })
const object = (key: string, more: object = {}): Component =>
  component(`object/${key}`, { fields: [{ key: 'name', type: 'text' }], nameField: 'name', ...more })

type ComponentInput = Component | [Component, ApplyHints]

function listOver(base: readonly Component[], given: readonly ComponentInput[]) {
  const view = new MemoryView(base)
  const components = given.map((each) =>
    Array.isArray(each) ? { component: each[0], hints: each[1] } : { component: each, hints: {} },
  )
  const candidate = buildCandidate(view, { components })
  const judged = validateCandidate(candidate, view, { today: date('2026-11-01'), principals })
  return {
    changes: candidate.changes.map((change) =>
      change.kind === 'renamed' ? `${change.from} -> ${change.id}` : `${change.kind} ${change.id}`,
    ),
    view: candidate.view,
    codes: judged.findings.map(({ code, component: id }) => `${code} ${id}`),
    findings: judged.findings,
  }
}

const from = (component: Component, renamedFrom: string): ComponentInput => [component, { renamedFrom }]
const three = [set('a'), entry('a', 'A'), set('b'), entry('b', 'B'), reader('config.a.v + config.b.v')]

describe('renames of one change list', () => {
  it('swap two keys, and everything follows', () => {
    const { changes, view, codes } = listOver(three, [from(set('a', 'b'), 'b'), from(set('b', 'a'), 'a')])
    expect(codes).toEqual([])
    expect(changes).toEqual([
      'config_set/b -> config_set/a',
      'config_set/a -> config_set/b',
      'config_entry/b.all -> config_entry/a.all',
      'config_entry/a.all -> config_entry/b.all',
      'changed calc_function/f',
    ])
    expect(view.get('config_entry', 'a.all')!.body.values).toEqual({ v: 'B' })
    expect(view.get('calc_function', 'f')!.body.expression).toBe('config.b.v + config.a.v')
  })

  it('move keys along a chain', () => {
    const { changes, view, codes } = listOver(three, [from(set('c', 'b'), 'b'), from(set('b', 'a'), 'a')])
    expect(codes).toEqual([])
    expect(changes).toEqual([
      'config_set/a -> config_set/b',
      'config_set/b -> config_set/c',
      'config_entry/a.all -> config_entry/b.all',
      'config_entry/b.all -> config_entry/c.all',
      'changed calc_function/f',
    ])
    expect(view.get('config_entry', 'c.all')!.body.values).toEqual({ v: 'B' })
    expect(view.get('calc_function', 'f')!.body.expression).toBe('config.b.v + config.c.v')
  })

  it('change nothing when the same files are applied again', () => {
    const lists = [
      [from(set('c', 'b'), 'b'), from(set('b', 'a'), 'a')],
      [from(set('a', 'b'), 'b'), from(set('b', 'a'), 'a')],
      [from(set('c', 'a'), 'a')],
    ]
    for (const given of lists) {
      const after = [...listOver(three, given).view.all()]
      expect(listOver(after, given)).toMatchObject({ changes: [], codes: [] })
    }
  })

  it('swap two sets that differ only in their keys, so their entries change places', () => {
    const same = [set('a', 'Rate'), entry('a', 'A'), set('b', 'Rate'), entry('b', 'B')]
    const { changes, view, codes } = listOver(same, [
      from(set('a', 'Rate'), 'b'),
      from(set('b', 'Rate'), 'a'),
    ])
    expect(codes).toEqual([])
    expect(changes).toEqual([
      'config_set/b -> config_set/a',
      'config_set/a -> config_set/b',
      'config_entry/b.all -> config_entry/a.all',
      'config_entry/a.all -> config_entry/b.all',
    ])
    expect(view.get('config_entry', 'a.all')!.body.values).toEqual({ v: 'B' })
  })

  it('swap two objects that differ only in their keys and in the references to themselves', () => {
    const of = (key: string): Component =>
      ({
        ...object(key, {
          fields: [
            { key: 'name', type: 'text' },
            { key: 'up', type: 'reference', references: key },
          ],
        }),
        label: 'Node',
      }) as Component
    const { changes, codes } = listOver([of('a'), of('b')], [from(of('a'), 'b'), from(of('b'), 'a')])
    expect(codes).toEqual([])
    expect(changes).toEqual(['object/b -> object/a', 'object/a -> object/b'])
  })

  it('report a removal of a component that they rename', () => {
    const components = [{ component: set('c'), hints: { renamedFrom: 'a' } }]
    const view = new MemoryView([set('a')])
    const { findings } = buildCandidate(view, { components, removals: ['config_set/a'] })
    expect(findings).toMatchObject([
      {
        code: 'component.unknown_removal',
        message: expect.stringMatching(/the same change list renames it/),
      },
    ])
  })

  it('name both components that are renamed from one', () => {
    const { findings } = listOver(three, [from(set('c'), 'a'), from(set('d'), 'a')])
    expect(findings).toMatchObject([
      {
        code: 'component.rename_twice',
        component: 'config_set/c',
        path: '/renamedFrom',
        message: expect.stringContaining('config_set/c and config_set/d are both renamed from config_set/a'),
        related: [{ component: 'config_set/d', path: '/renamedFrom' }],
      },
      { code: 'component.rename_twice', component: 'config_set/d' },
    ])
  })

  it('name both components without a base, as in a directory that is validated before an org exists', () => {
    const components = [set('c'), set('d')].map((each) => ({ component: each, hints: { renamedFrom: 'a' } }))
    const { findings } = buildCandidate(null, { components })
    expect(findings.map(({ code }) => code)).toEqual(['component.rename_twice', 'component.rename_twice'])
  })

  it.each([
    ['of a component to its own key', [from(set('a'), 'a')], ['component.rename_self config_set/a']],
    ['of what does not exist', [from(set('c'), 'x')], ['component.rename_source config_set/c']],
    ['onto an existing key', [from(set('b'), 'a')], ['component.rename_taken config_set/b']],
    [
      'of a component that is in the list itself',
      [from(set('c'), 'a'), set('a')],
      ['component.rename_both config_set/c'],
    ],
    [
      'along a chain that ends at an existing key',
      [from(object('p'), 'o'), from(object('q'), 'p')],
      ['component.rename_taken object/p', 'component.rename_taken object/q'],
    ],
    [
      'in a cycle through what does not exist',
      [from(set('c'), 'd'), from(set('d'), 'c')],
      ['component.rename_source config_set/c', 'component.rename_source config_set/d'],
    ],
    [
      'of an entry to the key that another one gets with its set',
      [from(set('c'), 'a'), from({ ...entry('c', 'Z'), label: 'Z' } as Component, 'b.all')],
      ['component.rename_taken config_entry/c.all'],
    ],
  ] as [string, ComponentInput[], string[]][])('are refused: %s', (_, given, expected) => {
    const objects = ['o', 'p', 'q'].map((key) => object(key))
    const { codes } = listOver([...three, ...objects], given)
    expect(codes.filter((code) => code.startsWith('component.'))).toEqual(expected)
  })
})

describe('a renamed object', () => {
  const aliasesOf = (base: readonly Component[], given: readonly ComponentInput[]) => {
    const { view, codes } = listOver(base, given)
    expect(codes).toEqual([])
    return Object.fromEntries([...view.list('object')].map((each) => [each.key, each.body.aliases]))
  }

  it('keeps its old key as an alias, even if its text omits it', () => {
    const change = from(object('bill', { aliases: ['invoices'] }), 'invoice')
    expect(aliasesOf([object('invoice', { aliases: ['invoices'] })], [change])).toEqual({
      bill: ['invoice', 'invoices'],
    })
    const again = listOver([object('bill', { aliases: ['invoice', 'invoices'] })], [change])
    expect(again.changes).toEqual([])
  })

  it('has no alias that is the key of another object, as after a swap', () => {
    const both = [object('a'), object('b', { aliases: ['c'] })]
    expect(aliasesOf(both, [from(object('a', { aliases: ['c'] }), 'b'), from(object('b'), 'a')])).toEqual({
      a: ['c'],
      b: [],
    })
    expect(aliasesOf(both, [from(object('x'), 'b'), from(object('b'), 'a')])).toEqual({ b: ['a'], x: [] })
  })

  it('cannot get the alias of another object', () => {
    const base = [object('bill', { aliases: ['invoice'] })]
    expect(listOver(base, [object('invoice')]).codes).toEqual(['object.alias object/invoice'])
  })

  it('is renamed back, and its other name is the alias', () => {
    const base = [object('bill', { aliases: ['invoice'] })]
    expect(aliasesOf(base, [from(object('invoice'), 'bill')])).toEqual({ invoice: ['bill'] })
  })
})
