import { describe, expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import { idOf, type ComponentId } from '../components/component.ts'
import { MemoryView } from '../components/memory-view.ts'
import { byCountry, calcFunction, component, configSet, field, objectOf } from '../expr/fixture.ts'
import {
  buildGraph,
  deletionFindings,
  entryCount,
  planRename,
  unknownReferences,
  updateGraph,
  whereUsed,
} from './index.ts'

const grants = { read: {}, edit: {} }
const rate = field('rate', 'number', { precision: 6, scale: 4 })
const entry = (key: string, body: object): Component =>
  component('config_entry', key, { scope: { kind: 'org' }, values: {}, ...body })

const components: Component[] = [
  configSet('vat_rate', [rate], {
    ...byCountry,
    effectiveDated: true,
    asOfField: ['invoice.invoice_date'],
    read: { tax: 'read' },
    edit: {},
  }),
  configSet('gateway', [
    field('login', 'credential_reference'),
    field('region', 'enum', { valueSet: 'region' }),
  ]),
  entry('vat_rate.de', { set: 'vat_rate', key: 'DE', values: { rate: '0.1900' } }),
  entry('vat_rate.at', { set: 'vat_rate', key: 'AT', values: { rate: '0.2000' } }),
  entry('gateway.base', { set: 'gateway', values: { login: 'bank' } }),
  entry('beta.tax', {
    set: 'beta',
    scope: { kind: 'permission_set', permissionSet: 'tax' },
    priority: 1,
    values: { value: true },
  }),
  component('feature_flag', 'beta', {
    owner: { user: 'mara' },
    expiresOn: '2027-01-01',
    scopes: ['permission_set', 'org'],
    default: false,
    ...grants,
  }),
  component('permission_set', 'tax', {
    systemPermissions: [],
    objects: { invoice: {} },
    fields: { 'invoice.amount': {} },
  }),
  component('value_set', 'region', { values: [{ key: 'eu', label: 'EU', active: true }] }),
  component('named_credential', 'bank', {
    url: 'https://bank.example',
    externalCredential: 'bank',
    principal: 'main',
  }),
  calcFunction('gross', [['net', 'number']], 'number', 'net * (1 + config.vat_rate("DE").rate)'),
  objectOf('customer', [field('country', 'text'), field('invoice', 'text')]),
  objectOf('invoice', [
    field('amount', 'number'),
    field('invoice_date', 'date', { required: true }),
    field('customer', 'reference', { references: 'customer' }),
    field('total', 'number', {
      formula: { expression: 'flag.beta ? gross(amount) : amount', stored: true },
    }),
  ]),
  component('list_view', 'open', {
    object: 'invoice',
    columns: ['amount', 'customer.country'],
    filter: 'customer.country == "DE" && config.vat_rate("DE").rate > 0',
    orderBy: [],
  }),
]

const view = new MemoryView(components)
const graph = buildGraph(view)
const from = (id: ComponentId, member?: string, includeEntries = false): string[] =>
  whereUsed(graph, id, member, { includeEntries }).map((usage) => `${usage.from}${usage.path}`)

describe('where-used', () => {
  it('names the places that read a set, in expressions and in bodies', () => {
    expect(from('config_set/vat_rate')).toEqual([
      'calc_function/gross/body/expression',
      'list_view/open/body/filter',
    ])
    expect(whereUsed(graph, 'config_set/vat_rate')[0]).toEqual({
      from: 'calc_function/gross',
      path: '/body/expression',
      member: 'rate',
      label: 'Label of gross',
    })
  })

  it('can be limited to a field, along references', () => {
    expect(from('object/customer', 'country')).toEqual(['list_view/open/body/filter'])
    expect(from('object/invoice', 'invoice_date')).toEqual(['config_set/vat_rate/body/asOfField/0'])
    expect(from('config_set/vat_rate', 'rate')).toHaveLength(2)
    expect(from('config_set/vat_rate', 'other')).toEqual([])
  })

  it('counts entries, and lists them when asked', () => {
    expect(entryCount(graph, 'config_set/vat_rate')).toBe(2)
    expect(entryCount(graph, 'object/invoice')).toBe(0)
    expect(from('config_set/vat_rate', undefined, true)).toEqual([
      'calc_function/gross/body/expression',
      'list_view/open/body/filter',
      'config_entry/vat_rate.at/body/set',
      'config_entry/vat_rate.de/body/set',
    ])
    expect(from('feature_flag/beta', undefined, true)).toEqual([
      'object/invoice/body/fields/3/formula/expression',
      'config_entry/beta.tax/body/set',
    ])
  })

  it('knows functions, flags, credentials in values, permission sets in scopes and grants', () => {
    expect(from('calc_function/gross')).toEqual(['object/invoice/body/fields/3/formula/expression'])
    expect(from('named_credential/bank')).toEqual(['config_entry/gateway.base/body/values/login'])
    expect(from('permission_set/tax')).toEqual([
      'config_entry/beta.tax/body/scope/permissionSet',
      'config_set/vat_rate/body/read/tax',
    ])
  })
})

describe('an updated graph', () => {
  const edges = (of: ReturnType<typeof buildGraph>): unknown =>
    [...of.incoming]
      .filter(([, who]) => who.size > 0)
      .map(([id, who]) => [id, [...who].sort()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))

  const changed = (replaced: Component[], removed: string[] = []): MemoryView => {
    const ids = new Set([...replaced.map((each) => idOf(each) as string), ...removed])
    return new MemoryView([...components.filter((each) => !ids.has(idOf(each))), ...replaced])
  }

  it.each<[string, Component[], ComponentId[]]>([
    [
      'a function that reads something else',
      [calcFunction('gross', [['net', 'number']], 'number', 'net')],
      [],
    ],
    ['a removed function', [], ['calc_function/gross']],
    [
      'a reference to a different component',
      [
        objectOf('invoice', [
          field('amount', 'number'),
          field('customer', 'reference', { references: 'person' }),
        ]),
      ],
      [],
    ],
    ['a set whose field is not a credential any more', [configSet('gateway', [field('login', 'text')])], []],
    [
      'an entry with a different credential',
      [entry('gateway.base', { set: 'gateway', values: { login: 'other' } })],
      [],
    ],
    ['a removed entry', [], ['config_entry/beta.tax']],
    ['a new set', [configSet('fresh', [rate], { read: { tax: 'read' } })], []],
  ])('after %s equals a graph built from scratch', (_, replaced, removed) => {
    const before = edges(graph)
    const next = changed(replaced, removed)
    const updated = updateGraph(graph, [...replaced.map((each) => idOf(each)), ...removed], next)
    expect(edges(updated)).toEqual(edges(buildGraph(next)))
    expect(edges(graph)).toEqual(before)
  })
})

describe('safe delete', () => {
  const without = (...ids: ComponentId[]) => {
    const candidate = new MemoryView(components.filter((each) => !ids.includes(idOf(each))))
    return deletionFindings(ids, candidate, updateGraph(graph, ids, candidate))
  }

  it('names everything that still refers to a component', () => {
    const [finding, ...others] = without('calc_function/gross')
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      code: 'deploy.still_referenced',
      component: 'calc_function/gross',
      severity: 'error',
    })
    expect(finding?.message).toContain('object/invoice')
    expect(finding?.related).toEqual([
      { component: 'object/invoice', path: '/body/fields/3/formula/expression' },
    ])
  })

  it('requires the entries of a set in the same change list', () => {
    const [finding] = without('config_set/vat_rate')
    expect(finding?.related.map((place) => place.component)).toEqual([
      'calc_function/gross',
      'list_view/open',
      'config_entry/vat_rate.at',
      'config_entry/vat_rate.de',
    ])
    const [left] = without(
      'config_set/vat_rate',
      'config_entry/vat_rate.de',
      'config_entry/vat_rate.at',
      'list_view/open',
    )
    expect(left?.related.map((place) => place.component)).toEqual(['calc_function/gross'])
  })

  it('allows removing components without referrers, and a whole group at once', () => {
    expect(without('list_view/open')).toEqual([])
    expect(without('config_entry/vat_rate.de')).toEqual([])
    expect(without('config_set/gateway', 'config_entry/gateway.base')).toEqual([])
  })

  it('does not count references of a component to itself', () => {
    const findings = without(
      'object/invoice',
      'list_view/open',
      'config_set/vat_rate',
      'config_entry/vat_rate.de',
      'config_entry/vat_rate.at',
    )
    expect(findings.map(({ component: id }) => id)).toEqual(['config_set/vat_rate', 'object/invoice'])
    expect(findings[1]?.related).toEqual([
      { component: 'permission_set/tax', path: '/body/objects/invoice' },
      { component: 'permission_set/tax', path: '/body/fields/invoice.amount', note: 'reads amount' },
    ])
  })
})

describe('unknown references', () => {
  it('are findings with the nearest name, one per place', () => {
    const broken = new MemoryView([
      ...components,
      configSet('shop', [field('zone', 'enum', { valueSet: 'regon' })]),
      entry('gateway.prod', { set: 'gateway', values: { login: 'banc' } }),
      calcFunction('lost', [], 'number', 'gone()'),
    ])
    const known = unknownReferences(view, graph).map(({ path }) => path)
    const findings = unknownReferences(broken, buildGraph(broken)).filter(({ path }) => !known.includes(path))
    expect(findings).toMatchObject([
      {
        code: 'reference.unknown',
        component: 'config_set/shop',
        path: '/body/fields/0/valueSet',
        message: 'The value set "regon" does not exist. Did you mean "region"?',
      },
      {
        component: 'config_entry/gateway.prod',
        path: '/body/values/login',
        message: 'The named or external credential "banc" does not exist. Did you mean "bank"?',
      },
    ])
  })
})

describe('a rename', () => {
  it('of a set renames entries, expressions and grants', () => {
    const {
      components: after,
      removed,
      places,
    } = planRename(view, [{ type: 'config_set', from: 'vat_rate', to: 'tax_rate' }])
    expect(after.map((each) => idOf(each))).toEqual([
      'calc_function/gross',
      'config_entry/tax_rate.at',
      'config_entry/tax_rate.de',
      'config_set/tax_rate',
      'list_view/open',
    ])
    expect(removed).toEqual(['config_entry/vat_rate.at', 'config_entry/vat_rate.de', 'config_set/vat_rate'])
    expect(places.find(({ component: id }) => id === 'calc_function/gross')).toEqual({
      component: 'calc_function/gross',
      path: '/body/expression',
      before: 'net * (1 + config.vat_rate("DE").rate)',
      after: 'net * (1 + config.tax_rate("DE").rate)',
    })
    expect(after.find((each) => each.key === 'tax_rate.de')?.body).toMatchObject({
      set: 'tax_rate',
      key: 'DE',
    })
  })

  it('of a permission set renames the properties of grants, and scopes', () => {
    const { components: after } = planRename(view, [{ type: 'permission_set', from: 'tax', to: 'tax_team' }])
    expect(after.find((each) => each.key === 'vat_rate')?.body).toMatchObject({ read: { tax_team: 'read' } })
    expect(after.find((each) => each.key === 'beta.tax')?.body).toMatchObject({
      scope: { permissionSet: 'tax_team' },
    })
  })

  it('of an object keeps the old name as an alias and changes paths that start with it, not fields of that name', () => {
    const { components: after } = planRename(view, [{ type: 'object', from: 'invoice', to: 'bill' }])
    const body = (key: string): unknown => after.find((each) => each.key === key)?.body
    expect(body('bill')).toMatchObject({ aliases: ['invoice'] })
    expect(body('vat_rate')).toMatchObject({ asOfField: ['bill.invoice_date'] })
    expect(body('tax')).toMatchObject({ objects: { bill: {} }, fields: { 'bill.amount': {} } })
    expect(body('open')).toMatchObject({ object: 'bill', columns: ['amount', 'customer.country'] })
    expect(body('customer')).toBeUndefined()
  })

  it('of an object does not change expressions and names of fields', () => {
    const action = { type: 'assign', key: 'copy', values: { invoice: 'invoice', country: 'invoice' } }
    const copy = component('automation', 'copy', {
      object: 'customer',
      phase: 'before_write',
      params: [],
      actions: [action],
    })
    const { components: after } = planRename(new MemoryView([...components, copy]), [
      { type: 'object', from: 'customer', to: 'invoice2' },
    ])
    expect(after.find((each) => each.key === 'copy')?.body).toMatchObject({
      object: 'invoice2',
      actions: [action],
    })
    const same = component('automation', 'same', {
      ...copy.body,
      object: 'invoice',
      actions: [{ ...action, values: { amount: 'invoice' } }],
    })
    const plan = planRename(new MemoryView([...components, same]), [
      { type: 'object', from: 'invoice', to: 'bill' },
    ])
    expect(plan.components.find((each) => each.key === 'same')?.body).toMatchObject({
      object: 'bill',
      actions: [{ values: { amount: 'invoice' } }],
    })
  })

  it('of a flag, a function and a value set at once leaves nothing unknown', () => {
    const { components: after, removed } = planRename(view, [
      { type: 'feature_flag', from: 'beta', to: 'pilot' },
      { type: 'calc_function', from: 'gross', to: 'with_tax' },
      { type: 'value_set', from: 'region', to: 'area' },
    ])
    const gone = new Set<string>([...removed, ...after.map((each) => idOf(each))])
    const next = new MemoryView([...components.filter((each) => !gone.has(idOf(each))), ...after])
    expect(next.get('object', 'invoice')?.body.fields[3]?.formula?.expression).toBe(
      'flag.pilot ? with_tax(amount) : amount',
    )
    expect(next.get('config_entry', 'pilot.tax')?.body.set).toBe('pilot')
    const unknown = unknownReferences(next, buildGraph(next)).map(({ message }) => message)
    expect(unknown).toEqual(unknownReferences(view, graph).map(({ message }) => message))
  })

  it('and its reversal give the same generation; keys can be swapped', () => {
    const swap = [
      { type: 'config_set', from: 'vat_rate', to: 'gateway' },
      { type: 'config_set', from: 'gateway', to: 'vat_rate' },
    ] as const
    const apply = (of: MemoryView, renames: Parameters<typeof planRename>[1]): MemoryView => {
      const { components: after, removed } = planRename(of, renames)
      const gone = new Set<string>([...removed, ...after.map((each) => idOf(each))])
      return new MemoryView([...[...of.all()].filter((each) => !gone.has(idOf(each))), ...after])
    }
    const swapped = apply(view, swap)
    expect([...swapped.keys('config_entry')]).toEqual([
      'beta.tax',
      'gateway.at',
      'gateway.de',
      'vat_rate.base',
    ])
    expect([...apply(swapped, swap).all()]).toEqual([...view.all()])
    const there = apply(view, [{ type: 'calc_function', from: 'gross', to: 'with_tax' }])
    expect([...apply(there, [{ type: 'calc_function', from: 'with_tax', to: 'gross' }]).all()]).toEqual([
      ...view.all(),
    ])
  })
})

describe('a hundred thousand entries', () => {
  it('do not increase the size of the graph', () => {
    const many = Array.from({ length: 100_000 }, (_, i) =>
      entry(`vat_rate.e${i}`, { set: 'vat_rate', key: `k${i}` }),
    )
    const large = buildGraph(new MemoryView([...components, ...many]))
    expect(large.outgoing.size).toBe(graph.outgoing.size)
    expect(entryCount(large, 'config_set/vat_rate')).toBe(100_002)
  })
})
