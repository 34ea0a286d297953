import { describe, expect, it } from 'vitest'
import { expressionSlots } from '../components/expression-slots.ts'
import { MemoryView } from '../components/memory-view.ts'
import type { ExpressionSite } from '../components/expression-slot.ts'
import { compileExpression } from './compile.ts'
import { expressionFindings } from './findings.ts'
import { component, components, configSet, field, objectOf } from './fixture.ts'

const states = component('value_set', 'state', {
  values: ['draft', 'sent', 'paid'].map((key) => ({ key, label: key, active: key !== 'paid' })),
})
const bill = objectOf('bill', [
  field('state', 'enum', { valueSet: 'state' }),
  field('previous', 'enum', { valueSet: 'state' }),
  field('rate', 'number', { precision: 4, scale: 2 }),
  field('due', 'date'),
  field('sent_at', 'datetime'),
  field('open', 'boolean'),
  field('note', 'text'),
  field('customer', 'reference', { references: 'customer' }),
])
const channel = component('event_channel', 'bills', {
  partitions: 4,
  schema: [
    field('state', 'enum', { valueSet: 'state' }),
    field('amount', 'number', { precision: 4, scale: 2 }),
  ],
})
const terms = configSet('terms', [field('state', 'enum', { valueSet: 'state' })])
const all = new MemoryView([...components, states, bill, terms, channel])
const rule: ExpressionSite = { kind: 'validation_rule', object: 'bill' }

describe('a comparison with an enum', () => {
  it.each([
    'state == "sent"',
    '"paid" != state',
    'state in ["draft", "sent"]',
    'state == previous || coalesce(state, "draft") == "paid"',
    'config.terms.state == "sent"',
    '(open ? state : previous) == "draft"',
    'note == "anything"',
  ])('compiles: %s', (source) => expect(compileExpression(source, rule, all).problems).toEqual([]))

  it.each([
    ['state == "snt"', 9, 14, '"sent"'],
    ['"pade" == state', 0, 6, '"paid"'],
    ['state in ["draft", "snet"]', 19, 25, '"sent"'],
    ['"drft" in [state, previous]', 0, 6, '"draft"'],
    ['config.terms.state != "drafft"', 22, 30, '"draft"'],
    ['coalesce(state, previous) == "snt"', 29, 34, '"sent"'],
    ['state == ""', 9, 11, undefined],
    ['config.currency("EUX").digits > 1', 16, 21, '"EUR"'],
    ['config.currency(open ? "EUR" : "EUX").digits > 1', 31, 36, '"EUR"'],
  ])('refuses %s', (source, start, end, suggestion) => {
    const { problems } = compileExpression(source, rule, all)
    expect(problems).toMatchObject([{ code: 'expr.unknown_name', start, end }])
    expect(problems[0]!.suggestion).toBe(suggestion)
    expect(problems[0]!.message).toContain(suggestion === undefined ? 'Its values are' : 'Did you mean')
  })
})

describe('the value that an action assigns to a field', () => {
  const automation = (phase: string, action: object) =>
    component('automation', 'a', { object: 'bill', phase, params: [], actions: [{ key: 'x', ...action }] })
  const findingsOf = (phase: string, action: object) => {
    const made = automation(phase, action)
    return expressionFindings('automation/a', expressionSlots(made), all)
  }

  const values = {
    due: 'date("2026-01-31")',
    rate: '12.5',
    open: 'present(note)',
    state: 'open ? "sent" : previous',
    note: 'state',
    customer: 'customer',
  }
  it.each([
    ['before_write', { type: 'assign', values }],
    ['after_write', { type: 'create', object: 'bill', values }],
    ['after_write', { type: 'update', object: 'bill', record: 'note', values }],
    ['after_write', { type: 'publish', channel: 'bills', payload: { state: '"sent"', amount: 'rate / 3' } }],
  ])('fits at %s: %j', (phase, action) => expect(findingsOf(phase, action)).toEqual([]))

  const wrong = {
    due: '"2026-01-31"',
    sent_at: 'due',
    rate: 'open',
    open: '1',
    state: '"snt"',
    customer: '"c-1"',
    note: 'rate',
  }
  it.each(['assign', 'create', 'update'])('is checked against the type of the field by %s', (type) => {
    const action = { type, object: 'bill', ...(type === 'update' ? { record: 'note' } : {}), values: wrong }
    const findings = findingsOf(type === 'assign' ? 'before_write' : 'after_write', action)
    expect(
      findings.map(({ path, code, facts }) => [path.split('/').at(-1), code, facts!['suggestion']]),
    ).toEqual([
      ['due', 'expr.result_type', 'date("2026-01-31")'],
      ['sent_at', 'expr.result_type', undefined],
      ['rate', 'expr.result_type', undefined],
      ['open', 'expr.result_type', undefined],
      ['state', 'expr.unknown_name', '"sent"'],
      ['customer', 'expr.result_type', undefined],
      ['note', 'expr.result_type', 'text(rate)'],
    ])
  })

  it.each([
    ['123.4', 'bill.rate: "123.4" '],
    ['-0.125', 'bill.rate: "-0.125" '],
    ['coalesce(rate, 1000)', 'bill.rate: "1000" '],
  ])('is a number that the field can hold: %s', (rate, message) => {
    const [finding, ...others] = findingsOf('before_write', { type: 'assign', values: { rate } })
    expect(others).toEqual([])
    expect(finding).toMatchObject({ code: 'expr.result_type', path: '/body/actions/0/values/rate' })
    expect(finding!.message).toContain(message)
  })

  it('is checked for the payload of an event and for the record to change', () => {
    const payload = { state: '"lost"', amount: '"ten"' }
    expect(findingsOf('after_write', { type: 'publish', channel: 'bills', payload })).toMatchObject([
      { code: 'expr.unknown_name', path: '/body/actions/0/payload/state' },
      { code: 'expr.result_type', path: '/body/actions/0/payload/amount' },
    ])
    const update = { type: 'update', object: 'bill', record: 'rate', values: {} }
    expect(findingsOf('after_write', update)).toMatchObject([
      { code: 'expr.result_type', path: '/body/actions/0/record' },
    ])
  })
})
