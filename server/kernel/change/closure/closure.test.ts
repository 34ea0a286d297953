import { describe, expect, it } from 'vitest'
import type { Component } from '../../components/body-types.ts'
import type { ApplyHints, ComponentId } from '../../components/component.ts'
import { MemoryView } from '../../components/memory-view.ts'
import { component, date, principals } from '../../components/rule-fixture.ts'
import { buildGraph, updateGraph } from '../../graph/index.ts'
import { buildCandidate, type CandidateComponent } from '../candidate.ts'
import { validateCandidate } from '../validate.ts'
import { closureOf } from './index.ts'

const today = date('2026-11-01')
const field = (key: string, more: object = {}) => ({ key, type: 'number', precision: 6, scale: 4, ...more })
const vat = (more: object = {}): Component =>
  component('config_set/vat', {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['org', 'environment'],
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [field('rate', { required: true })],
    ...more,
  })
const rate = (
  slug: string,
  from: string,
  to: string | null,
  more: object = {},
  values: object = {},
): Component =>
  component(`config_entry/vat.${slug}`, {
    set: 'vat',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: from,
    effectiveTo: to,
    values: { rate: '0.1900', ...values },
    ...more,
  })
const invoice = (...fields: object[]): Component =>
  component('object/invoice', {
    fields: [
      { key: 'name', type: 'text', required: true },
      { key: 'tax_point', type: 'date', required: true },
      ...fields,
    ],
    nameField: 'name',
  })
const fn = (key: string, expression: string, params: object[] = []): Component =>
  component(`calc_function/${key}`, { params, returns: 'number', expression })
const kinds = (...keys: string[]): Component =>
  component('value_set/kind', { values: keys.map((key) => ({ key, label: key })) })
const price = (): Component =>
  component('config_set/price', { cardinality: 'singleton', fields: [field('amount', { required: true })] })
const priceEntry = (): Component =>
  component('config_entry/price.all', { set: 'price', scope: { kind: 'org' }, values: { amount: '1.0000' } })
const flag = (expiresOn: string): Component =>
  component('feature_flag/beta', {
    owner: { user: 'mara' },
    expiresOn,
    rationale: `Until ${expiresOn}.`,
    scopes: ['org', 'app', 'environment'],
  })
const flagEntry = (value: boolean): Component =>
  component('config_entry/beta.prod', {
    set: 'beta',
    scope: { kind: 'environment', environment: 'prod' },
    values: { value },
  })

const base = [
  vat(),
  invoice({ key: 'net', type: 'number', precision: 12, scale: 2 }),
  rate('de_2007', '2007-01-01', null),
  fn('old', '1'),
  fn('reader', 'old()'),
  kinds('a', 'b'),
  component('config_set/label', {
    cardinality: 'singleton',
    fields: [{ key: 'kind', type: 'enum', valueSet: 'kind' }],
  }),
  component('config_entry/label.all', { set: 'label', scope: { kind: 'org' }, values: { kind: 'b' } }),
  flag('2026-01-01'),
  flagEntry(false),
] as Component[]

type ComponentInput = Component | [Component, ApplyHints]

function listOf(
  given: readonly ComponentInput[],
  removals: readonly string[] = [],
  on: readonly Component[] = base,
) {
  const view = new MemoryView(on)
  const components = given.map((each): CandidateComponent =>
    Array.isArray(each) ? { component: each[0], hints: each[1] } : { component: each, hints: {} },
  )
  const candidate = buildCandidate(view, { components, removals: removals as ComponentId[] })
  const baseGraph = buildGraph(view)
  const ids = candidate.changes.flatMap((change) =>
    change.kind === 'renamed' ? [change.id, change.from] : [change.id],
  )
  const graph = updateGraph(baseGraph, ids, candidate.view)
  const pickable = new Set<ComponentId>([
    ...components.map(({ component: { type, key } }) => `${type}/${key}` as const),
    ...(removals as ComponentId[]),
  ])
  return {
    view,
    components,
    candidate,
    ground: { base: view, view: candidate.view, baseGraph, graph, today, pickable },
  }
}

/** `of → needed: kind`, each once. */
function needs(picked: string, given: readonly ComponentInput[], removals: readonly string[] = []): string[] {
  const { candidate, ground } = listOf(given, removals)
  const { needed } = closureOf(candidate.changes, [picked as ComponentId], ground)
  return needed.flatMap(({ id, because }) => because.map(({ of, kind }) => `${of} → ${id}: ${kind}`))
}

const shorter = rate('de_2007', '2007-01-01', '2027-01-01')
const next = rate('de_2027', '2027-01-01', null)

describe('closureOf', () => {
  it('omits a change that no selected change needs', () => {
    const { candidate, ground } = listOf([fn('old', '2'), kinds('a', 'b', 'c')])
    expect(closureOf(candidate.changes, ['calc_function/old', 'app/none'], ground)).toEqual({
      picked: ['calc_function/old'],
      needed: [],
      free: ['value_set/kind'],
    })
  })

  it('includes both ends of a boundary, whichever was selected', () => {
    expect(needs('config_entry/vat.de_2027', [shorter, next])).toEqual([
      'config_entry/vat.de_2027 → config_entry/vat.de_2007: ranges',
    ])
    expect(needs('config_entry/vat.de_2007', [shorter, next])).toEqual([
      'config_entry/vat.de_2007 → config_entry/vat.de_2027: ranges',
    ])
  })

  it('includes only the changes to a key that the selected change needs, and names the days', () => {
    const on = [...base, rate('at', '1995-01-01', null, { key: 'AT' })]
    const components = [
      shorter,
      next,
      rate('at', '1995-01-01', '2028-01-01', { key: 'AT' }),
      rate('at_2028', '2028-01-01', null, { key: 'AT' }),
    ]
    const { candidate, ground } = listOf(components, [], on)
    const { needed, free } = closureOf(candidate.changes, ['config_entry/vat.de_2027'], ground)
    expect(needed.map(({ id }) => id)).toEqual(['config_entry/vat.de_2007'])
    expect(free).toEqual(['config_entry/vat.at', 'config_entry/vat.at_2028'])
    expect(needed[0]!.because[0]!.reason).toContain('1 Jan 2027')
  })

  it('allows the value of one row alone', () => {
    expect(
      needs('config_entry/vat.de_2027', [
        rate('de_2007', '2007-01-01', null, {}, { rate: '0.2' }),
        rate('de_2027', '1999-01-01', '2007-01-01'),
      ]),
    ).toEqual([])
  })

  it('includes the org entry behind a narrower one of a new key', () => {
    const narrow = rate('fr_prod', '2000-01-01', null, {
      key: 'FR',
      scope: { kind: 'environment', environment: 'prod' },
    })
    const org = rate('fr', '2000-01-01', null, { key: 'FR' })
    expect(needs('config_entry/vat.fr_prod', [narrow, org])).toEqual([
      'config_entry/vat.fr_prod → config_entry/vat.fr: ranges',
    ])
    expect(needs('config_entry/vat.fr', [narrow, org])).toEqual([])
  })

  it('includes new components that are named, with all of their own needs', () => {
    const components = [
      fn('gross', 'net_of() * 2'),
      fn('net_of', 'config.price.amount'),
      price(),
      priceEntry(),
      fn('alone', '3'),
    ]
    expect(needs('calc_function/gross', components)).toEqual([
      'calc_function/net_of → config_set/price: names_new',
      'config_entry/price.all → config_set/price: of_set',
      'calc_function/net_of → config_entry/price.all: org_entry',
      'calc_function/gross → calc_function/net_of: names_new',
    ])
    expect(needs('config_entry/price.all', components)).toEqual([
      'config_entry/price.all → config_set/price: of_set',
    ])
    expect(needs('config_set/price', components)).toEqual([])
  })

  it('includes the rename whose new name is read, and nothing for a rename itself', () => {
    const components: ComponentInput[] = [[fn('newer', '1'), { renamedFrom: 'old' }], fn('other', 'newer()')]
    expect(needs('calc_function/other', components)).toEqual([
      'calc_function/other → calc_function/newer: names_new',
    ])
    expect(needs('calc_function/newer', components)).toEqual([])
  })

  it('includes the renamed set of an entry that is written under its new key', () => {
    const renamed = { ...vat(), key: 'tax' } as Component
    const entry = component('config_entry/tax.fr', {
      set: 'tax',
      key: 'FR',
      scope: { kind: 'org' },
      effectiveFrom: '2000-01-01',
      values: { rate: '0.2' },
    })
    expect(needs('config_entry/tax.fr', [[renamed, { renamedFrom: 'vat' }], entry])).toEqual([
      'config_entry/tax.fr → config_set/tax: of_set',
    ])
  })

  it('includes the change to a set whose new field, scope or looser rule an entry uses, and no other', () => {
    const wider = vat({
      scopes: ['org', 'environment', 'app'],
      fields: [field('rate', { required: true }), field('extra')],
    })
    const plain = rate('de_2007', '2007-01-01', null, {}, { rate: '0.2' })
    expect(needs('config_entry/vat.de_2007', [wider, plain])).toEqual([])
    const extra = rate('de_2007', '2007-01-01', null, {}, { extra: '1' })
    expect(needs('config_entry/vat.de_2007', [wider, extra])).toEqual([
      'config_entry/vat.de_2007 → config_set/vat: of_set',
    ])
    const app = component('app/shop', { objects: [], pages: [], flows: [] })
    const scoped = rate('de_shop', '2007-01-01', null, { scope: { kind: 'app', app: 'shop' } })
    expect(needs('config_entry/vat.de_shop', [wider, scoped, app])).toEqual([
      'config_entry/vat.de_shop → config_set/vat: of_set',
      'config_entry/vat.de_shop → app/shop: names_new',
    ])
  })

  it('includes the entries that a stricter set requires', () => {
    const strict = vat({ fields: [field('rate', { required: true }), field('extra', { required: true })] })
    const given = rate('de_2007', '2007-01-01', null, {}, { extra: '1' })
    expect(needs('config_set/vat', [strict, given])).toEqual([
      'config_set/vat → config_entry/vat.de_2007: of_set',
    ])
    const narrower = vat({ fields: [field('rate', { required: true, precision: 4, scale: 2 })] })
    expect(
      needs('config_set/vat', [narrower, rate('de_2007', '2007-01-01', null, {}, { rate: '0.2' })]),
    ).toEqual([])
  })

  it('includes what stops naming a removed component', () => {
    expect(needs('calc_function/old', [fn('reader', '1')], ['calc_function/old'])).toEqual([
      'calc_function/old → calc_function/reader: still_named',
    ])
    expect(needs('calc_function/reader', [fn('reader', '1')], ['calc_function/old'])).toEqual([])
    // This component still names the removed one: a finding that no other change could fix.
    expect(needs('calc_function/old', [fn('reader', 'old() + 1')], ['calc_function/old'])).toEqual([])
  })

  it('includes the entries of a removed set', () => {
    expect(needs('config_set/label', [], ['config_set/label', 'config_entry/label.all'])).toEqual([
      'config_set/label → config_entry/label.all: of_set',
    ])
    expect(needs('config_entry/label.all', [], ['config_set/label', 'config_entry/label.all'])).toEqual([])
  })

  it('includes the field that a reader names, and the readers of a removed one', () => {
    const more = invoice(
      { key: 'net', type: 'number', precision: 12, scale: 2 },
      { key: 'paid', type: 'date', required: true },
    )
    const asOf = vat({ asOfField: 'invoice.paid' })
    expect(needs('config_set/vat', [asOf, more])).toEqual(['config_set/vat → object/invoice: reads_field'])
    expect(needs('object/invoice', [asOf, more])).toEqual([])
    const less = component('object/invoice', {
      fields: [
        { key: 'name', type: 'text', required: true },
        { key: 'paid', type: 'date', required: true },
      ],
      nameField: 'name',
    })
    expect(needs('object/invoice', [asOf, less])).toEqual(['object/invoice → config_set/vat: still_named'])
  })

  it('includes function and caller together if the parameters change', () => {
    const given = [fn('old', 'by', [{ key: 'by', type: 'number' }]), fn('reader', 'old(2)')]
    expect(needs('calc_function/old', given)).toEqual(['calc_function/old → calc_function/reader: signature'])
    expect(needs('calc_function/reader', given)).toEqual([
      'calc_function/reader → calc_function/old: signature',
    ])
  })

  it('follows the values of a value set', () => {
    const label = (kind: string): Component =>
      component('config_entry/label.all', { set: 'label', scope: { kind: 'org' }, values: { kind } })
    expect(needs('config_entry/label.all', [kinds('a', 'b', 'c'), label('c')])).toEqual([
      'config_entry/label.all → value_set/kind: value',
    ])
    expect(needs('value_set/kind', [kinds('a'), label('a')])).toEqual([
      'value_set/kind → config_entry/label.all: value',
    ])
    expect(needs('config_entry/label.all', [kinds('a', 'b', 'c'), label('a')])).toEqual([])
  })

  it('includes the extension of a frozen flag with its entries', () => {
    expect(needs('config_entry/beta.prod', [flag('2027-01-01'), flagEntry(true)])).toEqual([
      'config_entry/beta.prod → feature_flag/beta: of_set',
    ])
    expect(needs('feature_flag/beta', [flag('2027-01-01'), flagEntry(true)])).toEqual([])
  })

  it('includes the removed flag whose key a set gets', () => {
    const set = component('config_set/beta', { cardinality: 'singleton', fields: [field('x')] })
    expect(needs('config_set/beta', [set], ['feature_flag/beta', 'config_entry/beta.prod'])).toEqual([
      'feature_flag/beta → config_entry/beta.prod: of_set',
      'config_set/beta → feature_flag/beta: takes_key',
    ])
  })

  it('is a selection that is valid if the whole list is valid', () => {
    const lists: [ComponentInput[], string[]][] = [
      [
        [
          shorter,
          next,
          fn('gross', 'net_of() * 2'),
          fn('net_of', 'config.price.amount'),
          price(),
          priceEntry(),
        ],
        [],
      ],
      [[fn('reader', '1'), flag('2027-01-01'), flagEntry(true)], ['calc_function/old']],
      [
        [
          vat({
            scopes: ['org', 'environment', 'app'],
            fields: [field('rate', { required: true }), field('extra', { required: true })],
          }),
          rate('de_2007', '2007-01-01', '2020-01-01', {}, { extra: '1' }),
          rate('de_2020', '2020-01-01', null, {}, { extra: '1' }),
          rate('de_shop', '2007-01-01', null, { scope: { kind: 'app', app: 'shop' } }, { extra: '2' }),
          component('app/shop', { objects: [], pages: [], flows: [] }),
        ],
        [],
      ],
      [
        [
          kinds('a'),
          component('config_entry/label.all', {
            set: 'label',
            scope: { kind: 'org' },
            values: { kind: 'a' },
          }),
        ],
        [],
      ],
      [
        [
          [{ ...vat(), key: 'tax' } as Component, { renamedFrom: 'vat' }],
          fn('uses', 'config.tax("DE").rate * 0'),
        ],
        [],
      ],
    ]
    for (const [given, removals] of lists) {
      const { view, components, candidate, ground } = listOf(given, removals)
      const errorsOf = (ids: ReadonlySet<string>): string[] => {
        const subset = buildCandidate(view, {
          components: components.filter(({ component: { type, key } }) => ids.has(`${type}/${key}`)),
          removals: removals.filter((id) => ids.has(id)) as ComponentId[],
        })
        const { findings } = validateCandidate(subset, view, { today, principals, rationale: 'Because.' })
        return findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)
      }
      const whole = errorsOf(ground.pickable)
      for (const id of ground.pickable) {
        const { picked, needed } = closureOf(candidate.changes, [id], ground)
        const closed = new Set<string>([...picked, ...needed.map((need) => need.id)])
        expect(
          errorsOf(closed).filter((message) => !whole.includes(message)),
          `closure of ${id}`,
        ).toEqual([])
      }
    }
  })
})
