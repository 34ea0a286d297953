// Why a field has its value: the formula and its inputs, the binding, the replay, and what a recompute would store.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Side {
  binding: { generation: number; asOf: string | null; config: Record<string, string> }
  hiddenSets: number
  steps: { set: string; key: string | null; resolution: { entry: string; values: object } | null }[]
}
interface Explained {
  value: string | null
  kind: string
  expression: string | null
  asOf: { field: string; date: string | null } | null
  inputs: { path: string; value: unknown }[]
  hiddenInputs: number
  bound: (Side & { replay: string | null; identical: boolean }) | null
  present:
    | (Side & {
        value: string | null
        differs: boolean
        problem: { code: string } | null
        expression: string | null
      })
    | null
  reasons: string[]
}
interface Formulas {
  type: string
  key: string
  label: string
  body: { fields: { key: string; formula?: { expression: string } }[] }
}
interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}

const open = { type: 'permission_set', key: 'analyst', label: 'Analyst' }
const analyst = {
  ...open,
  body: {
    objects: { invoice: { read: true, viewAll: true }, customer: {} },
    fields: { 'invoice.tax': { read: true }, 'invoice.net': { read: true }, 'invoice.buyer': { read: true } },
  },
}

let test: TestServer
let ada: Ask
let dot: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk(), analyst])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'dot', permissionSets: ['analyst'] },
  ]
  ;({ ada, dot } = (await signIn(test, users)) as { ada: Ask; dot: Ask })
})
afterAll(() => test.close())

let made = 0
async function invoice(values: object = {}): Promise<Saved & { customer: string }> {
  const { body: buyer } = await ada<Saved>('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })
  const number = `V-${(made += 1)}`
  const { body } = await ada<Saved>('POST', '/data/v3/invoice', {
    ...{ number, customer: buyer.id, tax_point: '2022-08-15', net: '100', ...values },
  })
  return { ...body, customer: buyer.id }
}
const explain = async (ask: Ask, id: string, field: string, object = 'invoice'): Promise<Explained> =>
  (await ask<Explained>('GET', `/data/v3/${object}/${id}/values/${field}`)).body

/** Deploys another rate for 2021 and later. */
const deployRate = (rate: string): Promise<void> =>
  apply(
    test.studio,
    billingComponents(billing(rate)).filter((each) => (each as { key: string }).key === 'vat.de_2021'),
  )

describe('the value of a stored formula', () => {
  it('is explained by its formula, what it read, and its binding', async () => {
    const { id } = await invoice()
    const explained = await explain(ada, id, 'tax')
    expect(explained).toMatchObject({
      ...{ object: 'invoice', id, field: 'tax', value: '19.00', kind: 'stored_formula' },
      expression: 'net * config.vat(customer.country).rate',
      asOf: { field: 'tax_point', date: '2022-08-15' },
      inputs: [
        { path: 'net', value: '100' },
        { path: 'customer.country', value: 'DE' },
      ],
      hiddenInputs: 0,
      bound: { binding: { asOf: '2022-08-15' }, hiddenSets: 0, replay: '19.00', identical: true },
      present: { value: '19.00', differs: false, problem: null },
      reasons: [],
    })
    expect(explained.bound!.steps).toMatchObject([
      { set: 'vat', key: 'DE', resolution: { entry: 'vat.de_2021', values: { rate: '0.1900' } } },
    ])
  })

  it('is replayed at its generation, beside what a recompute would store, which stores it only if asked', async () => {
    const { id, version } = await invoice({ net: '200' })
    const before = await explain(ada, id, 'tax')
    await deployRate('0.2100')
    const after = await explain(ada, id, 'tax')
    expect(after.bound).toMatchObject({ binding: before.bound!.binding, replay: '38.00', identical: true })
    expect(after.bound!.steps[0]!.resolution!.values).toEqual({ rate: '0.1900' })
    expect(after.present).toMatchObject({ value: '42.00', differs: true })
    expect(after.present!.steps[0]!.resolution!.values).toEqual({ rate: '0.2100' })
    expect(after.reasons).toEqual([
      `vat changed: vat.de_2021 by admin in generation ${after.present!.binding.generation}.`,
    ])
    expect((await ada<Saved>('GET', `/data/v3/invoice/${id}`)).body.version).toBe(version)

    const path = `/data/v3/invoice/${id}/recompute`
    expect((await ada('POST', path, undefined, { 'if-match': '"7"' })).status).toBe(412)
    const stored = await ada<Saved>('POST', path, undefined, { 'if-match': `"${version}"` })
    expect([stored.status, stored.body]).toMatchObject([
      200,
      { version: version + 1, fields: { tax: '42.00', total: '242.00' } },
    ])
    expect(await explain(ada, id, 'tax')).toMatchObject({
      value: '42.00',
      bound: { binding: after.present!.binding, identical: true },
      present: { differs: false },
    })
    // A second recompute has nothing to store.
    expect((await ada<Saved>('POST', path)).body.version).toBe(version + 1)
    await deployRate('0.1900')
  })

  it('is replayed with what it read along references, which can change', async () => {
    const { id, customer } = await invoice()
    const { body } = await ada<Saved>('GET', `/data/v3/customer/${customer}`)
    await ada('PATCH', `/data/v3/customer/${customer}`, { name: 'Bea' }, { 'if-match': `"${body.version}"` })
    expect(await explain(ada, id, 'buyer')).toMatchObject({
      value: 'Bea (DE)',
      inputs: [{ path: 'customer.label', value: 'Bea (DE)' }],
      bound: { replay: 'Bea (DE)', identical: true },
    })
  })

  it('shows the formula of its generation beside the one of today, and names the deploy that changed it', async () => {
    const { id } = await invoice()
    const all = billingComponents() as Formulas[]
    const object = all.find(({ type, key }) => type === 'object' && key === 'invoice')!
    const changed = structuredClone(object)
    const tax = changed.body.fields.find(({ key }) => key === 'tax')!.formula!
    const before = tax.expression
    tax.expression = `${before} + net`
    await apply(test.studio, [changed])
    const { generation } = (await explain(ada, id, 'tax')).present!.binding
    // A later deploy of something else in the object is not the one that is named.
    await apply(test.studio, [{ ...changed, label: 'Bill' }])
    const explained = await explain(ada, id, 'tax')
    expect(explained).toMatchObject({
      expression: before,
      bound: { replay: '19.00', identical: true },
      present: { value: '119.00', differs: true, expression: `${before} + net` },
      reasons: [`The formula of tax changed: invoice by admin in generation ${generation}.`],
    })
    expect(explained.present!.binding.generation).toBeGreaterThan(generation)
    await apply(test.studio, [object])
    expect((await explain(ada, id, 'tax')).reasons).toEqual([])
  })

  it('shows inputs, records and sets only to users who can read them', async () => {
    const { id } = await invoice()
    const shown = await explain(dot, id, 'tax')
    expect(shown).toMatchObject({
      value: '19.00',
      inputs: [{ path: 'net', value: '100' }],
      // The country of the customer and the as-of date.
      ...{ asOf: null, hiddenInputs: 2 },
      bound: { binding: { config: {} }, hiddenSets: 1, steps: [], replay: '19.00' },
      present: { binding: { config: {} }, hiddenSets: 1, steps: [] },
      reasons: [],
    })
    const hidden = await dot('GET', `/data/v3/invoice/${id}/values/total`)
    const missing = await dot('GET', `/data/v3/invoice/${id}/values/totals`)
    expect([hidden.status, hidden.body['code']]).toEqual([422, 'request.invalid'])
    expect(missing.body['code']).toBe('request.invalid')
    expect(hidden.body['detail']).toBe('invoice has no field "total".')
  })
})

describe('other values', () => {
  it('a roll-up is replayed over its children', async () => {
    const { id } = await invoice()
    for (const weight of ['1.50', '2.25']) await ada('POST', '/data/v3/line', { invoice: id, weight })
    expect(await explain(ada, id, 'weight')).toMatchObject({
      ...{
        value: '3.75',
        kind: 'roll_up',
        expression: null,
        rollUp: { op: 'sum', child: 'line', of: 'weight' },
      },
      bound: { replay: '3.75', identical: true },
      present: { value: '3.75', differs: false },
    })
  })

  it('a virtual formula shows its inputs, an entered value is only itself', async () => {
    const { id } = await invoice()
    expect(await explain(ada, id, 'half')).toMatchObject({
      ...{ value: '59.50', kind: 'virtual_formula', expression: 'total / 2', bound: null, present: null },
      inputs: [{ path: 'total', value: '119' }],
    })
    expect(await explain(ada, id, 'net')).toMatchObject({
      ...{ value: '100.00', kind: 'entered', expression: null, inputs: [], bound: null, present: null },
    })
  })
})

describe('a recompute', () => {
  it('needs the right to change the record', async () => {
    const { id } = await invoice()
    const { status, body } = await dot('POST', `/data/v3/invoice/${id}/recompute`)
    expect([status, body['code']]).toEqual([403, 'access.denied'])
  })

  it('is an item of a batch too', async () => {
    const { id } = await invoice()
    await deployRate('0.2500')
    const { body } = await ada<{ results: unknown[] }>('POST', '/data/v3/invoice/batch', {
      records: [{ op: 'recompute', id }],
    })
    expect(body.results).toEqual([{ status: 200, id, version: 2 }])
    expect((await ada<Saved>('GET', `/data/v3/invoice/${id}`)).body.fields['tax']).toBe('25.00')
    await deployRate('0.1900')
  })
})
