// The impact of a change list on stored values of records: what it names is what a recompute after the apply changes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Impact {
  fields: {
    object: string
    field: string
    added: boolean
    changed: number
    items: {
      id: string
      name: string | null
      stored: unknown
      now: unknown
      after: unknown
      afterError: unknown
    }[]
  }[]
  looked: number
  total: number
  hidden: number
  next: string | null
}

const author = {
  ...{ type: 'permission_set', key: 'author', label: 'Author' },
  body: { systemPermissions: ['config.author', 'operations.manage'] },
}
/** Sees all of customers, and no invoice. */
const buyers = {
  ...{ type: 'permission_set', key: 'buyers', label: 'Buyers' },
  body: {
    objects: { customer: { read: true, viewAll: true } },
    fields: Object.fromEntries(
      ['name', 'country', 'label'].map((key) => [`customer.${key}`, { read: true }]),
    ),
  },
}
/** Sees invoices, but none of the customers that they name. */
const partial = {
  ...{ type: 'permission_set', key: 'partial', label: 'Partial' },
  body: {
    systemPermissions: ['config.author'],
    objects: { invoice: { read: true, viewAll: true } },
    fields: { 'invoice.number': { read: true }, 'invoice.net': { read: true } },
  },
}

let test: TestServer
let ada: Ask
let eva: Ask
let cas: Ask
let pat: Ask
let nil: Ask
beforeAll(async () => {
  test = await runningServer()
  const secret = {
    ...{ type: 'config_set', key: 'secret', label: 'Secret' },
    body: {
      ...{ cardinality: 'singleton', fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4 }] },
      ...{ read: { administrator: 'read', keeper: 'read' }, edit: { administrator: 'edit' } },
    },
  }
  const keeper = { type: 'permission_set', key: 'keeper', label: 'Keeper', body: {} }
  const entry = {
    ...{ type: 'config_entry', key: 'secret.only', label: 'Secret' },
    body: { set: 'secret', scope: { kind: 'org' }, values: { rate: '0.5000' } },
  }
  await apply(test.studio, [...changed(billing()), clerk(), author, buyers, partial, keeper, secret, entry])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'author'] },
    { key: 'eva', permissionSets: ['clerk', 'author', 'keeper'] },
    { key: 'cas', permissionSets: ['author', 'buyers'] },
    { key: 'pat', permissionSets: ['partial'] },
    { key: 'nil', permissionSets: ['author'] },
  ]
  ;({ ada, eva, cas, pat, nil } = (await signIn(test, users)) as Record<
    'ada' | 'eva' | 'cas' | 'pat' | 'nil',
    Ask
  >)
  const customers: string[] = []
  for (const country of ['DE', 'AT']) {
    const { body } = await ada<{ id: string }>('POST', '/data/v3/customer', { name: country, country })
    customers.push(body.id)
  }
  const records = Array.from({ length: 60 }, (_, at) => ({
    op: 'insert',
    fields: {
      ...{ number: `I-${at}`, customer: customers[at % 2], net: at % 6 === 0 ? '0' : '100' },
      tax_point: at % 4 < 2 ? '2022-01-01' : '2019-01-01',
    },
  }))
  await ada('POST', '/data/v3/invoice/batch', { records })
})
afterAll(() => test.close())

/** German invoices of 2022 with a net amount. */
const moved = Array.from({ length: 60 }, (_, at) => at)
  .filter((at) => at % 2 === 0 && at % 4 < 2 && at % 6 !== 0)
  .map((at) => `I-${at}`)

const higher = (): object[] =>
  changed({ 'config_entry/vat.de_2021': billing('0.2500')['config_entry/vat.de_2021']! })

/** Components of the org. Authors read and change the rates. */
function changed(bodies: Readonly<Record<string, object>>): object[] {
  return (billingComponents(bodies) as { type: string; body: object }[]).map((component) =>
    component.type === 'config_set' ? { ...component, body: { ...component.body, ...grants } } : component,
  )
}
const grants = {
  read: { administrator: 'read', author: 'read' },
  edit: { administrator: 'edit', author: 'edit' },
}

function invoiceWith(field: string, expression: string): object[] {
  const body = billing()['object/invoice'] as { fields: { key: string; formula?: object }[] }
  const fields = body.fields.map((each) =>
    each.key === field ? { ...each, formula: { expression, stored: true } } : each,
  )
  return billingComponents({ 'object/invoice': { ...body, fields } })
}

async function impactOf(ask: Ask, components: object[], more: object = {}): Promise<Impact> {
  const { status, body, text } = await ask<Impact>('POST', '/metadata/v3/impact/records', {
    components,
    ...more,
  })
  expect([status, text]).toEqual([200, expect.anything()])
  return body
}

describe('the impact on records', () => {
  it('names exactly the invoices of a changed rate, which a recompute after the apply changes', async () => {
    const impact = await impactOf(ada, higher(), { limit: 200 })
    expect(impact).toMatchObject({ looked: 60, total: 60, hidden: 0, next: null })
    expect(impact.fields.map(({ field, changed: count }) => [field, count])).toEqual([
      ['tax', moved.length],
      ['total', moved.length],
    ])
    const [tax] = impact.fields
    expect(tax!.items.map(({ name }) => name)).toEqual(moved)
    expect(tax!.items[0]).toMatchObject({ stored: '19.00', now: '19.00', after: '25.00', afterError: null })
  })

  it('is the same in parts of any size', async () => {
    const whole = await impactOf(ada, higher(), { limit: 200 })
    for (const look of [1, 7, 59, 60, 61]) {
      const names: unknown[] = []
      let [counted, looked] = [0, 0]
      let after: string | undefined
      do {
        const part = await impactOf(ada, higher(), {
          ...{ look, limit: 200 },
          ...(after === undefined ? {} : { after }),
        })
        expect(part.looked).toBeLessThanOrEqual(look)
        looked += part.looked
        const tax = part.fields.find(({ field }) => field === 'tax')
        counted += tax?.changed ?? 0
        names.push(...(tax?.items ?? []).map(({ name }) => name))
        after = part.next ?? undefined
      } while (after !== undefined)
      expect([looked, counted, names]).toEqual([
        60,
        moved.length,
        whole.fields[0]!.items.map(({ name }) => name),
      ])
    }
  })

  it('compares a changed formula, and one that cannot be computed', async () => {
    const doubled = await impactOf(ada, invoiceWith('total', 'net + tax * 2'))
    expect(doubled.fields).toMatchObject([{ field: 'total', changed: 50 }])
    const failing = await impactOf(ada, invoiceWith('total', 'net / (tax - tax)'))
    expect(failing.fields).toMatchObject([{ field: 'total', changed: 60 }])
    expect(failing.fields[0]!.items[0]).toMatchObject({ after: null })
    expect(failing.fields[0]!.items[0]!.afterError).toContain('cannot be computed')
  })

  it('names the values of a new field and of a renamed one, which no permission set names yet', async () => {
    const body = billing()['object/invoice'] as { fields: { key: string; formula?: object }[] }
    const formula = { expression: 'net * 2', stored: true }
    const twice = { key: 'twice', label: 'Twice', type: 'number', precision: 14, scale: 2, formula }
    const added = await impactOf(
      ada,
      billingComponents({
        'object/invoice': { ...body, fields: [...body.fields, twice] },
      }),
    )
    const first = { name: 'I-1', stored: null, now: null, after: '200.00' }
    expect(added.fields).toMatchObject([{ field: 'twice', added: true, changed: 60 }])
    expect(added.fields[0]!.items.find(({ name }) => name === 'I-1')).toMatchObject(first)
    const fields = body.fields.map((each) =>
      each.key === 'total' ? { ...each, key: 'sum', aliases: ['total'], formula } : each,
    )
    const renamed = await impactOf(ada, billingComponents({ 'object/invoice': { ...body, fields } }))
    expect(renamed.fields).toMatchObject([{ field: 'sum', added: false }])
    expect(renamed.fields[0]!.items.length).toBeGreaterThan(0)
  })

  it('counts records that the caller cannot see, and names none of them', async () => {
    const impact = await impactOf(nil, higher())
    expect(impact.fields).toMatchObject([
      { field: 'tax', changed: moved.length, items: [] },
      { field: 'total', changed: moved.length, items: [] },
    ])
  })

  it('counts them even if the list changes what no formula reads', async () => {
    const list = { type: 'list_view', key: 'numbers', label: 'Numbers' }
    const view = { ...list, body: { object: 'invoice', columns: ['number'] } }
    const states = { type: 'value_set', key: 'colour', label: 'Colour', body: { values: [] } }
    expect(await impactOf(nil, [...higher(), view, states])).toMatchObject({
      ...{ hidden: 0, looked: 60 },
      fields: [{ field: 'tax', changed: moved.length, items: [] }, { field: 'total' }],
    })
  })

  it('compares nothing with a formula that could reveal what the caller cannot read', async () => {
    const spying = invoiceWith('total', 'customer.country == "DE" ? net + 1 : net + tax')
    for (const ask of [pat, nil])
      expect(await impactOf(ask, spying)).toMatchObject({ fields: [], hidden: 60 })
    const secret = invoiceWith('total', 'config.secret.rate > 0.4 ? net + 1 : net + tax')
    expect((await impactOf(ada, secret)).hidden).toBe(60)
    expect(await impactOf(eva, secret)).toMatchObject({
      hidden: 0,
      fields: [{ changed: expect.any(Number) }],
    })
  })

  it('compares nothing if the list itself leads to records that the caller cannot read', async () => {
    const customer = billing()['object/customer'] as { fields: object[] }
    const sum = { child: 'invoice', via: 'customer', op: 'sum', of: 'net' }
    const fields = [
      ...customer.fields,
      { key: 'turnover', type: 'number', precision: 12, scale: 2, rollup: sum },
    ]
    const list = billingComponents({ 'object/customer': { ...customer, fields } })
    expect(await impactOf(cas, list)).toMatchObject({ fields: [], hidden: 2, total: 2 })
    expect(await impactOf(ada, list)).toMatchObject({
      fields: [{ field: 'turnover', changed: 2 }],
      hidden: 0,
    })
  })

  it('continues only the same list of the same caller', async () => {
    const { next } = await impactOf(ada, higher(), { look: 5 })
    const send = (ask: Ask, components: object[]) =>
      ask('POST', '/metadata/v3/impact/records', { components, after: next })
    expect((await send(ada, higher())).status).toBe(200)
    expect((await send(nil, higher())).status).toBe(400)
    expect((await send(ada, invoiceWith('total', 'net'))).status).toBe(400)
  })

  it('disappears once the list was applied, and a recompute stores what it named', async () => {
    await apply(test.studio, higher())
    expect(await impactOf(ada, higher())).toMatchObject({ fields: [], total: 0, next: null })
    const { body: job } = await ada<{ id: string }>('POST', '/setup/v3/jobs', {
      kind: 'recompute',
      object: 'invoice',
    })
    const read = () => ada<{ state: string }>('GET', `/setup/v3/jobs/${job.id}`)
    await expect.poll(async () => (await read()).body.state).toBe('completed')
    const { body } = await ada<{ records: { fields: Record<string, unknown> }[] }>('POST', '/data/v3/query', {
      ...{ object: 'invoice', fields: ['number'], filter: 'tax == 25', limit: 2000 },
    })
    expect(new Set(body.records.map(({ fields }) => fields['number']))).toEqual(new Set(moved))
  })
})
