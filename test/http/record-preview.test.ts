// The value that an expression would have for a record and a date, as an editor shows it while it is written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Preview {
  type: string
  value: unknown
  problem: { code: string; message: string } | null
  asOf: { field: string; date: string | null } | null
  parts: { start: number; end: number; value: unknown }[]
  detail?: string
  code?: string
}

/** Reads amounts of all invoices, but no customers and no configuration. */
const analyst = {
  ...{ type: 'permission_set', key: 'analyst', label: 'Analyst' },
  body: {
    objects: { invoice: { read: true, viewAll: true }, customer: {} },
    fields: { 'invoice.net': { read: true }, 'invoice.customer': { read: true } },
  },
}

let test: TestServer
let ada: Ask
let dot: Ask
let id = ''
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk(), analyst])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'dot', permissionSets: ['analyst'] },
  ]
  ;({ ada, dot } = (await signIn(test, users)) as { ada: Ask; dot: Ask })
  const { body: buyer } = await ada<{ id: string }>('POST', '/data/v3/customer', {
    ...{ name: 'Ada', country: 'DE' },
  })
  const fields = { number: 'P-1', customer: buyer.id, tax_point: '2022-08-15', net: '100' }
  id = (await ada<{ id: string }>('POST', '/data/v3/invoice', fields)).body.id
})
afterAll(() => test.close())

const site = { kind: 'stored_formula', object: 'invoice', field: 'fresh' }
const preview = async (ask: Ask, expression: string, more: object = {}): Promise<Preview> =>
  (
    await ask<Preview>('POST', '/setup/v3/evaluate/record', {
      id,
      expression,
      site,
      ...more,
    })
  ).body

describe('a preview', () => {
  it('is the value for a record, with the values of its parts', async () => {
    const expression = 'net * config.vat(customer.country).rate'
    const found = await preview(ada, expression)
    expect(found).toMatchObject({
      ...{ type: 'number', value: '19', problem: null },
      asOf: { field: 'tax_point', date: '2022-08-15' },
    })
    expect(found.parts.map(({ start, end, value }) => [expression.slice(start, end), value])).toEqual([
      ['net', '100'],
      ['config.vat(customer.country).rate', '0.19'],
      ['customer.country', 'DE'],
    ])
  })

  it('reads configuration at a picked date, and is as the field stores it', async () => {
    const expression = 'net * config.vat(customer.country).rate'
    const stored = { type: 'number', precision: 12, scale: 2 }
    expect(await preview(ada, expression, { asOf: '2020-08-15', stored })).toMatchObject({
      ...{ value: '16.00', asOf: { field: 'tax_point', date: '2020-08-15' } },
    })
    expect(await preview(ada, 'net / 3', { stored })).toMatchObject({ value: '33.33', asOf: null })
    const { body } = await ada<{ fields: object }>('GET', `/data/v3/invoice/${id}`)
    expect(body.fields).toMatchObject({ tax_point: '2022-08-15' })
  })

  it('of a rule is as for a save that changes nothing', async () => {
    const rule = { site: { kind: 'validation_rule', object: 'invoice' }, expects: 'boolean' }
    expect(await preview(ada, 'changed(net) || isNew || prior.net != net', rule)).toMatchObject({
      value: false,
    })
    expect(await preview(ada, 'net > 99', rule)).toMatchObject({ value: true, type: 'boolean' })
  })

  it('explains what does not compile and what cannot be computed', async () => {
    expect(await preview(ada, 'nett * 2')).toMatchObject({ code: 'expression.invalid' })
    expect(await preview(ada, 'net / (net - 100)')).toMatchObject({
      ...{ value: null, problem: { code: 'expression.evaluation' } },
    })
    expect(await preview(ada, 'net', { asOf: 'today' })).toMatchObject({ code: 'request.malformed' })
  })

  it('needs a record that the expression can read', async () => {
    const none = { site: { kind: 'calc_function', key: 'half', params: [] } }
    expect(await preview(ada, '1 + 1', none)).toMatchObject({ code: 'request.invalid' })
    const other = { site: { ...site, object: 'customer' } }
    expect(await preview(ada, 'name', other)).toMatchObject({ code: 'record.not_found' })
  })

  it('shows nothing that the caller cannot read', async () => {
    expect(await preview(dot, 'net + 1')).toMatchObject({ value: '101' })
    for (const expression of ['number', 'customer.country', 'present(tax)'])
      expect(await preview(dot, expression), expression).toMatchObject({ code: 'access.denied' })
    const set = await preview(dot, 'net * config.vat("DE").rate')
    expect(set.code).toBe('expression.invalid')
    const unknown = await preview(dot, 'net * config.vot("DE").rate')
    expect(set.detail).toBe(unknown.detail!.replaceAll('vot', 'vat'))
  })
})
