import { describe, expect, it } from 'vitest'
import { buildCandidate, validateCandidate } from '../change/index.ts'
import type { Component } from '../components/body-types.ts'
import type { RuleContext } from '../components/define.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import { MemoryView } from '../components/memory-view.ts'
import { listViewRules } from '../components/list-view/rules.ts'
import { parseCivilDate } from '../dates/civil-date.ts'
import { parseComponent } from '../components/parse.ts'
import { expressionFindings } from './findings.ts'
import { component, components, field, objectOf } from './fixture.ts'

const source = (filter: boolean, sort = true): Component =>
  component('external_data_source', 'erp', {
    adapter: 'odata_v4',
    namedCredential: 'erp_api',
    pushdown: { filter, sort, paging: 'server', aggregate: false },
    pageSize: 50,
    listViewDeadlineMs: 3000,
  })

const order = component('object', 'erp_order', {
  storage: 'external',
  dataSource: 'erp',
  remoteEntity: 'Orders',
  externalId: 'Id',
  aliases: [],
  fields: [
    field('number', 'text'),
    field('amount', 'number'),
    field('placed', 'date'),
    field('sent_at', 'datetime'),
    field('open', 'boolean'),
    field('currency', 'enum', { valueSet: 'currency' }),
    field('customer', 'reference', { references: 'customer' }),
    field('gross', 'number', { formula: { expression: 'amount * 2', stored: false } }),
  ],
})

const list = (filter: string, object = 'erp_order', orderBy: object[] = []): Component =>
  component('list_view', 'orders', { object, columns: ['number'], filter, orderBy })

function findingsOf(view: Component, filterable = true, ...more: Component[]) {
  const all = new MemoryView([...components, source(filterable), order, view, ...more])
  return expressionFindings(`${view.type}/${view.key}`, expressionSlots(view), all)
}

describe('a filter over a virtual object', () => {
  it.each([
    'amount > 1000 && !(open || placed <= date("2026-01-01"))',
    'currency in ["EUR"] && number.startsWith("A") && number.lower().contains("x")',
    'amount * 2 - 1 >= config.limits.credit',
    'amount > round(config.limits.credit / 3, 2)',
    'present(number) && year(placed) == 2026 && number.size() > 3',
    'date(sent_at) == date("2026-01-01") && customer == number',
    'amount > config.currency("EUR").digits && flag.reverse_charge',
  ])('accepts %s', (filter) => expect(findingsOf(list(filter))).toEqual([]))

  it.each([
    ['number.matches("^A")', 'regular expressions'],
    ['round(amount, 2) == 1.5', 'rounds halves differently'],
    ['customer.country == "DE"', 'a field of another object'],
    ['id == "7" || open', 'the id'],
    ['gross > 10', 'the formula gross'],
    ['net_price(amount) > 10', 'the calc function net_price'],
    ['gross(amount, "DE") > 10', 'the calc function gross'],
    ['coalesce(amount, 0) > 1', 'no coalesce'],
    ['(open ? amount : 0) > 1', 'a conditional'],
    ['amount / 2 > 1', 'multiply the other side'],
    ['config.currency(currency).digits > 2', 'configuration that depends on the row'],
    ['addDays(placed, 3) > date("2026-01-01")', 'cannot count days'],
    ['text(amount) == "1"', 'no such function'],
    ['[amount].exists(x, x > 1)', 'exists; write out the conditions'],
  ])('refuses %s', (filter, reason) => {
    const findings = findingsOf(list(filter)).filter(({ code }) => code === 'expr.not_pushed_down')
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({ component: 'list_view/orders', path: '/body/filter' })
    expect(findings[0]!.message).toContain(reason)
    expect(findings[0]!.message).toContain('erp_order is virtual')
  })

  it('is refused completely if the source cannot filter', () => {
    const [finding, ...others] = findingsOf(list('amount > 1'), false)
    expect(others).toEqual([])
    expect(finding).toMatchObject({ code: 'expr.not_pushed_down', facts: { start: 0, end: 10 } })
    expect(finding!.message).toContain('"pushdown.filter" is false')
  })

  it('names each part that the source cannot apply', () => {
    const filter = 'number.matches("^A") || amount > 1 && customer.name == "x"'
    expect(findingsOf(list(filter)).map(({ facts }) => [facts!['start'], facts!['end']])).toEqual([
      [0, 20],
      [38, 51],
    ])
  })

  it('cannot be reached through a reference: rows that are not stored cannot filter stored ones', () => {
    const local = objectOf('parcel_order', [field('erp', 'reference', { references: 'erp_order' })], {
      sharing: {
        default: 'private',
        rules: [{ key: 'a', when: 'erp.open', permissionSet: 'x', access: 'read' }],
      },
    })
    expect(findingsOf(local)).toMatchObject([
      { code: 'expr.not_pushed_down', path: '/body/sharing/rules/0/when' },
    ])
    expect(findingsOf(list('erp.amount > 1', 'parcel_order'), true, local)).toMatchObject([
      { code: 'expr.not_pushed_down', path: '/body/filter' },
    ])
  })

  it.each([
    [{ formula: { expression: 'erp.amount * 2', stored: true } }, '/body/fields/1/formula/expression'],
    [{ formula: { expression: 'erp.amount * 2', stored: false } }, '/body/fields/1/formula/expression'],
    [{ default: 'erp.amount' }, '/body/fields/1/default'],
  ])('cannot be reached by another expression either: %j', (more, path) => {
    const fields = [
      field('erp', 'reference', { references: 'erp_order' }),
      field('twice', 'number', { precision: 12, scale: 2, ...more }),
    ]
    const found = findingsOf(objectOf('parcel_order', fields))
    expect(found).toMatchObject([{ code: 'expr.not_pushed_down', path }])
    expect(found[0]!.message).toContain('erp_order is virtual: its rows are not stored here')
  })

  it('is validated again when the source changes', () => {
    const parsed = (json: unknown): Component => parseComponent(json).component!
    const erp = (filter: boolean) =>
      parsed({
        type: 'external_data_source',
        key: 'erp',
        label: 'ERP',
        body: { adapter: 'odata_v4', namedCredential: 'erp_api', pushdown: { filter } },
      })
    const base = new MemoryView([...components, erp(true), order, list('amount > 1')])
    const candidate = buildCandidate(base, { components: [{ component: erp(false), hints: {} }] })
    const { findings } = validateCandidate(candidate, base, {
      today: parseCivilDate('2026-11-01')!,
      principals: {
        user: () => 'live',
        group: () => 'live',
        userKeys: () => [],
        groupKeys: () => [],
      },
    })
    expect(findings.map(({ code, component: id }) => `${code} ${id}`)).toContain(
      'expr.not_pushed_down list_view/orders',
    )
  })
})

const contextOf = (...more: Component[]): RuleContext => ({
  view: new MemoryView([...components, source(true), order, ...more]),
  base: null,
  today: parseCivilDate('2026-11-01')!,
  principals: { user: () => undefined, group: () => undefined, userKeys: () => [], groupKeys: () => [] },
  rationale: '',
  formerRationales: () => [],
})

describe('an order over a virtual object', () => {
  const sortFindings = (by: string, sort: boolean): string[] =>
    listViewRules.flatMap((rule) =>
      rule(
        list('open', 'erp_order', [{ field: by, dir: 'asc' }]) as never,
        contextOf(source(true, sort)),
      ).map(({ code, path }) => `${code} ${path}`),
    )

  it.each([
    ['amount', true, []],
    ['amount', false, ['expr.not_pushed_down /body/orderBy/0/field']],
    ['gross', true, ['expr.not_pushed_down /body/orderBy/0/field']],
    ['customer.name', true, ['expr.not_pushed_down /body/orderBy/0/field']],
    ['id', true, ['reference.unknown_field /body/orderBy/0/field']],
  ] as const)('by %s, source that sorts: %s', (by, sort, expected) => {
    expect(sortFindings(by, sort)).toEqual(expected)
  })
})

describe('an order over a local object', () => {
  const country = objectOf('country', [
    field('name', 'text'),
    field('shown', 'text', { formula: { expression: 'name', stored: false } }),
  ])
  const parcel = objectOf('parcel', [
    field('weight', 'number', { precision: 9, scale: 2 }),
    field('cost', 'number', { precision: 12, scale: 4 }),
    field('twice', 'number', { formula: { expression: 'weight * 2', stored: false }, aliases: ['double'] }),
    field('half', 'number', { formula: { expression: 'weight / 2', stored: true } }),
    field('country', 'reference', { references: 'country' }),
    field('erp', 'reference', { references: 'erp_order' }),
  ])
  const codesOf = (view: Component): string[] =>
    listViewRules.flatMap((rule) =>
      rule(view as never, contextOf(country, parcel)).map(({ code, path }) => `${code} ${path}`),
    )

  it.each([
    ['weight', []],
    ['half', []],
    ['country.name', []],
    ['id', []],
    ['twice', ['expr.not_pushed_down /body/orderBy/0/field']],
    ['double', ['expr.not_pushed_down /body/orderBy/0/field']],
    ['country.shown', ['expr.not_pushed_down /body/orderBy/0/field']],
    ['erp.number', ['expr.not_pushed_down /body/orderBy/0/field']],
  ])('by %s', (by, expected) => {
    const ordered = { object: 'parcel', columns: ['weight'], orderBy: [{ field: by, dir: 'asc' }] }
    expect(codesOf(component('list_view', 'parcels', ordered))).toEqual(expected)
  })

  it.each([
    ['weight > half * 1', 'arithmetic over fields'],
    ['weight > cost', 'different precision or scale'],
    ['twice > 1', 'computed when it is read'],
  ])('has a filter that the database can apply, so not %s', (filter, reason) => {
    const [finding, ...more] = findingsOf(list(filter, 'parcel'), true, country, parcel)
    expect(more).toEqual([])
    expect(finding).toMatchObject({ code: 'expr.not_pushed_down', path: '/body/filter' })
    expect(finding!.message).toContain(reason)
  })
})
