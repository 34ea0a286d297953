import { describe, expect, it } from 'vitest'
import { component, findingsOf, codesWithPaths } from '../rule-fixture.ts'
import { expressionSlots } from '../expression-slots.ts'
import { automationReferences } from './references.ts'

const others = [
  component('object/invoice', {
    fields: [
      { key: 'amount', type: 'number', precision: 10, scale: 2 },
      { key: 'tax', type: 'number', precision: 10, scale: 2, formula: { expression: 'amount' } },
    ],
  }),
  component('object/order', {
    storage: 'external',
    dataSource: 'erp',
    remoteEntity: 'X',
    externalId: 'Id',
    fields: [],
  }),
  component('event_channel/paid', { schema: [{ key: 'number', type: 'text' }] }),
  component('event_channel/changes', { object: 'invoice' }),
]
const on = (phase: string, ...actions: object[]) => ({ object: 'invoice', phase, actions })
const call = (...actions: object[]) => ({ phase: 'invocable', actions })
const assign = { key: 'a', type: 'assign', values: { amount: '1' } }
const raise = { key: 'a', type: 'raise', message: 'No.' }
const publish = { key: 'a', type: 'publish', channel: 'paid', payload: { number: '"1"' } }
const callout = { key: 'a', type: 'callout', credential: 'ledger', method: 'GET', path: '/rates' }
const enqueue = { ...callout, type: 'enqueue', method: 'POST' }

describe('an automation', () => {
  const cases: [string, object, string[]][] = [
    ['that sets a field before the write', on('before_write', assign, { ...raise, key: 'b' }), []],
    ['that publishes after the write', on('after_write', publish, { ...enqueue, key: 'b' }), []],
    ['that calls out after the commit', on('post_commit', callout), []],
    ['that calls out when called', call(callout), []],
    [
      'that calls out before the write',
      on('before_write', callout),
      ['automation.action_phase /body/actions/0/type'],
    ],
    [
      'that calls out in the transaction',
      on('after_write', callout),
      ['automation.action_phase /body/actions/0/type'],
    ],
    [
      'that publishes before the write',
      on('before_write', publish),
      ['automation.action_phase /body/actions/0/type'],
    ],
    [
      'that sets a field after the write',
      on('after_write', assign),
      ['automation.action_phase /body/actions/0/type'],
    ],
    ['of no object', { phase: 'after_write', actions: [publish] }, ['automation.object /body']],
    ['of a virtual object', { ...on('after_write'), object: 'order' }, ['automation.object /body/object']],
    ['invocable, with an object', on('invocable'), ['automation.object /body/object']],
    [
      'at a save, with parameters',
      { ...on('after_write'), params: [{ key: 'a', type: 'text' }] },
      ['automation.object /body/params'],
    ],
    [
      'at a save, granted to a permission set',
      { ...on('after_write'), grantedTo: ['clerk'] },
      ['automation.object /body/grantedTo'],
    ],
    [
      'at a save, with a returned value',
      { ...on('post_commit'), returns: { total: '1' } },
      ['automation.object /body/returns'],
    ],
    ['that can be called and returns values', { ...call(), grantedTo: ['clerk'], returns: { n: '1' } }, []],
    [
      'that rejects a call for a parameter',
      { ...call({ ...raise, field: 'net' }), params: [{ key: 'net', type: 'number' }] },
      [],
    ],
    [
      'that rejects a call for an unknown parameter',
      { ...call({ ...raise, field: 'net' }), params: [{ key: 'nett', type: 'number' }] },
      ['automation.target /body/actions/0/field'],
    ],
    [
      'with a parameter called config',
      { ...call(), params: [{ key: 'config', type: 'text' }] },
      ['calc.param_shadowed /body/params/0/key'],
    ],
    [
      'with two parameters of one name',
      {
        ...call(),
        params: [
          { key: 'a', type: 'text' },
          { key: 'a', type: 'text' },
        ],
      },
      ['key.duplicate_item /body/params/1/key'],
    ],
    [
      'with two actions of one key',
      on('before_write', assign, raise),
      ['key.duplicate_item /body/actions/1/key'],
    ],
    [
      'that writes a computed field',
      on('before_write', { ...assign, values: { tax: '1' } }),
      ['automation.target /body/actions/0/values/tax'],
    ],
    [
      'that writes an unknown field',
      on('before_write', { ...assign, values: { amout: '1' } }),
      ['reference.unknown_field /body/actions/0/values/amout'],
    ],
    [
      'that publishes to a change feed',
      call({ ...publish, channel: 'changes' }),
      ['automation.target /body/actions/0/channel'],
    ],
    [
      'that publishes an unknown field',
      call({ ...publish, payload: { nmber: '1' } }),
      ['automation.target /body/actions/0/payload/nmber'],
    ],
    ['that calls nothing', call({ key: 'a', type: 'callout' }), ['automation.target /body/actions/0']],
    [
      'that calls without a method',
      call({ ...callout, method: undefined }),
      ['automation.target /body/actions/0'],
    ],
    [
      'that calls an address',
      call({ ...callout, path: 'https://a.example' }),
      ['automation.target /body/actions/0/path'],
    ],
    ['whose credential is an expression', call({ ...callout, credential: 'config.bank.credential' }), []],
    [
      'whose callout has the name of a field',
      on('post_commit', { ...callout, key: 'amount' }),
      ['automation.callout_name /body/actions/0/key'],
    ],
    [
      'whose callout has the name of a parameter',
      { ...call({ ...callout, key: 'net' }), params: [{ key: 'net', type: 'number' }] },
      ['automation.callout_name /body/actions/0/key'],
    ],
    [
      'whose callout has a reserved name',
      call({ ...callout, key: 'config' }),
      ['automation.callout_name /body/actions/0/key'],
    ],
    ['that calls an operation', call({ key: 'a', type: 'callout', operation: 'ledger.create' }), []],
    [
      'that calls an operation and a credential',
      call({ ...callout, operation: 'ledger.create' }),
      ['automation.target /body/actions/0/operation'],
    ],
  ]
  it.each(cases)('%s', (_name, body, expected) => {
    expect(codesWithPaths(findingsOf(component('automation/x', body), { others }))).toEqual(expected)
  })

  it('cannot return a value whose name is not a key', () => {
    const body = { ...call(), returns: { 'Net total': '1' } }
    expect(() => component('automation/x', body)).toThrow('/body/returns/Net total')
  })

  it('refers to the permission sets that it is granted to', () => {
    const automation = component('automation/x', { ...call(), grantedTo: ['office', 'clerk'] })
    expect(automationReferences(automation)).toEqual([
      { path: '/body/grantedTo/0', to: 'permission_set/clerk' },
      { path: '/body/grantedTo/1', to: 'permission_set/office' },
    ])
  })

  it('lists its returned values as expressions over the parameters', () => {
    const params = [{ key: 'net', type: 'number' }]
    const automation = component('automation/x', { ...call(), params, returns: { double: 'net * 2' } })
    expect(expressionSlots(automation)).toEqual([
      {
        ...{ path: '/body/returns/double', source: 'net * 2', expects: 'any' },
        site: {
          ...{ kind: 'automation', object: null, phase: 'invocable', params },
          into: { kind: 'return', name: 'double' },
        },
      },
    ])
  })

  it('reads the results of earlier calls, and returns those of all', () => {
    const calls = [
      { key: 'check', type: 'callout', operation: 'risk.check', payload: { amount: 'net' } },
      { key: 'book', type: 'callout', credential: 'ledger', method: 'PUT', path: '/x', payload: { a: '1' } },
    ]
    const automation = component('automation/x', { ...call(...calls), returns: { status: 'book.status' } })
    const places = expressionSlots(automation).map(({ path, site }) => [
      path,
      site.kind === 'automation' ? (site.calls ?? []).map(({ action }) => action) : null,
    ])
    expect(Object.fromEntries(places)).toEqual({
      '/body/actions/0/payload/amount': [],
      '/body/actions/1/payload/a': ['check'],
      '/body/returns/status': ['check', 'book'],
    })
  })

  it('lists every expression with its place', () => {
    const update = { key: 'u', type: 'update', object: 'invoice', record: 'id', values: { amount: '1' } }
    const automation = component('automation/x', {
      ...on('after_write', update, publish, { ...enqueue, payload: { a: '2' }, idempotencyKey: '"k"' }),
      when: 'amount > 0',
    })
    expect(expressionSlots(automation).map(({ path, expects }) => `${path} ${expects}`)).toEqual([
      '/body/when boolean',
      '/body/actions/0/record any',
      '/body/actions/0/values/amount any',
      '/body/actions/1/payload/number any',
      '/body/actions/2/payload/a any',
      '/body/actions/2/idempotencyKey any',
    ])
  })
})
