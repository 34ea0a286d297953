import { describe, expect, it } from 'vitest'
import { buildCandidate, validateCandidate } from '../change/index.ts'
import type { Component } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { parseCivilDate } from '../dates/civil-date.ts'
import { component, configSet, field, objectOf } from '../expr/fixture.ts'
import { buildGraph, entryCount, whereUsed } from './index.ts'

const members = (...keys: string[]): Component =>
  component('value_set', 'cur', {
    values: keys.map((text) => {
      const [key = '', state] = text.split(' ')
      return { key, label: key, active: state !== 'inactive' }
    }),
  })
const entry = (slug: string, body: object): Component =>
  component('config_entry', slug, { scope: { kind: 'org' }, ...body })

const invoice = objectOf(
  'invoice',
  [
    field('currency', 'enum', { valueSet: 'cur' }),
    field('home', 'enum', {
      valueSet: 'cur',
      formula: { expression: 'present(currency) ? currency : "CHF"', stored: false },
    }),
    field('foreign', 'boolean', { formula: { expression: 'currency != "EUR"', stored: false } }),
  ],
  { validationRules: [{ key: 'a', when: 'currency in ["USD", "EUR"]', message: 'x' }] },
)
const others: Component[] = [
  configSet('bank', [field('currency', 'enum', { valueSet: 'cur' }), field('name', 'text')]),
  configSet('digits', [field('places', 'number')], {
    cardinality: 'keyed',
    keyedBy: { key: 'currency', type: 'enum', valueSet: 'cur' },
  }),
  entry('bank.org', { set: 'bank', values: { currency: 'EUR', name: 'USD' } }),
  entry('digits.usd', { set: 'digits', key: 'USD', values: { places: '2' } }),
  invoice,
  objectOf('customer', [field('first', 'reference', { references: 'invoice' })], {
    sharing: {
      default: 'private',
      rules: [{ key: 's', when: 'first.currency == "USD"', permissionSet: 'x', access: 'read' }],
    },
  }),
  component('list_view', 'euros', {
    object: 'invoice',
    columns: [],
    filter: 'currency == "EUR"',
    orderBy: [],
  }),
  component('automation', 'fill', {
    object: 'invoice',
    phase: 'before_write',
    params: [],
    when: 'config.bank.currency == "EUR"',
    actions: [{ type: 'assign', key: 'a', values: { currency: '"CHF"' } }],
  }),
  component('calc_function', 'places', {
    params: [],
    returns: 'number',
    expression: 'config.digits("USD").places',
  }),
]
const view = new MemoryView([members('EUR', 'USD', 'CHF', 'SEK'), ...others])
const used = (member: string): string[] =>
  whereUsed(buildGraph(view), 'value_set/cur', member).map(({ from, path }) => `${from} ${path}`)

describe('the uses of a value of a value set', () => {
  it('names entries, formulas, rules, filters, automations and functions', () => {
    expect(used('EUR')).toEqual([
      'automation/fill /body/when',
      'list_view/euros /body/filter',
      'object/invoice /body/fields/2/formula/expression',
      'object/invoice /body/validationRules/0/when',
      'config_entry/bank.org /body/values/currency',
    ])
    expect(used('USD')).toEqual([
      'calc_function/places /body/expression',
      'object/customer /body/sharing/rules/0/when',
      'object/invoice /body/validationRules/0/when',
      'config_entry/digits.usd /body/key',
    ])
    expect(used('CHF')).toEqual([
      'automation/fill /body/actions/0/values/currency',
      'object/invoice /body/fields/1/formula/expression',
    ])
    expect(used('SEK')).toEqual([])
  })

  it('lists every reader of the whole set, and counts the entries', () => {
    const graph = buildGraph(view)
    const all = whereUsed(graph, 'value_set/cur')
    expect(all.filter(({ member }) => member === undefined).map(({ from }) => from)).toEqual([
      'config_set/bank',
      'config_set/digits',
      'object/invoice',
      'object/invoice',
    ])
    expect(all.filter(({ member }) => member !== undefined)).toHaveLength(9)
    expect(entryCount(graph, 'value_set/cur')).toBe(2)
  })
})

describe('a used value that is retired', () => {
  const findingsWith = (...keys: string[]) => {
    const candidate = buildCandidate(view, { components: [{ component: members(...keys), hints: {} }] })
    const principals = {
      user: () => 'live' as const,
      group: () => 'live' as const,
      userKeys: () => [],
      groupKeys: () => [],
    }
    const today = parseCivilDate('2026-11-01')!
    return validateCandidate(candidate, view, { today, principals }).findings.filter(
      (finding) => finding.component === 'value_set/cur',
    )
  }

  it('is refused when it is removed, naming its users', () => {
    const [finding, ...more] = findingsWith('EUR', 'CHF', 'SEK')
    expect(more).toEqual([])
    expect(finding).toMatchObject({
      severity: 'error',
      code: 'deploy.still_referenced',
      path: '/body/values',
    })
    expect(finding!.message).toBe(
      'The value "USD" of cur is still used by calc_function/places, object/customer, object/invoice, config_entry/digits.usd. ' +
        'Keep it as an inactive value, or change them in the same change list.',
    )
    expect(finding!.related).toHaveLength(4)
  })

  it('warns when it is made inactive, naming its users', () => {
    const [finding, ...more] = findingsWith('EUR inactive', 'USD', 'CHF', 'SEK')
    expect(more).toEqual([])
    expect(finding).toMatchObject({
      severity: 'warning',
      code: 'config.value_inactive',
      path: '/body/values/0/active',
    })
    expect(finding!.message).toContain('config_entry/bank.org')
    expect(finding!.message).toContain('list_view/euros')
  })

  it('does not report a value that is not used', () => {
    expect(findingsWith('EUR', 'USD', 'CHF')).toEqual([])
    expect(findingsWith('EUR', 'USD', 'CHF', 'SEK inactive')).toEqual([])
  })
})
