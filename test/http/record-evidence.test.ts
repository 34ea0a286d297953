// Evidence of the stored values of records: it verifies without the org, and shows nothing that the caller cannot read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBundle } from '../../server/kernel/evidence/index.ts'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Saved {
  id: string
  fields: Record<string, unknown>
}

const partial = {
  ...{ type: 'permission_set', key: 'partial', label: 'Partial' },
  body: {
    objects: { invoice: { read: true, viewAll: true }, customer: { read: true, viewAll: true } },
    fields: {
      'invoice.tax': { read: true },
      'invoice.net': { read: true },
      'invoice.customer': { read: true },
    },
  },
}

let test: TestServer
let ada: Ask
let cid: Ask
let pat: Ask
let invoice: string
let buyer: string
const pathOf = (field: string): string => `/data/v3/invoice/${invoice}/values/${field}/evidence`

beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk(), partial])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'cid', permissionSets: ['clerk'] },
    { key: 'pat', permissionSets: ['partial', 'administrator'] },
  ]
  ;({ ada, cid, pat } = (await signIn(test, users)) as { ada: Ask; cid: Ask; pat: Ask })
  buyer = (await ada<Saved>('POST', '/data/v3/customer', { name: 'Ada', country: 'DE' })).body.id
  const values = { number: 'R-1', customer: buyer, tax_point: '2020-08-15', net: '100.05' }
  invoice = (await ada<Saved>('POST', '/data/v3/invoice', values)).body.id
})
afterAll(() => test.close())

describe('the evidence of a stored value', () => {
  it('replays to the value without the org, and one altered byte is found', async () => {
    // Both have changed since; the evidence is of the stored value.
    const rate = billing('0.2500')['config_entry/vat.de_2020'] as { values: object }
    await apply(
      test.studio,
      billingComponents({ 'config_entry/vat.de_2020': { ...rate, values: { rate: '0.9000' } } }),
    )
    const { status, text } = await ada('GET', pathOf('tax'))
    expect([status, text]).toEqual([200, expect.any(String)])
    expect(verifyBundle(text)).toMatchObject({
      ...{ ok: true, value: '"16.01"' },
      bundle: {
        result: {
          ...{ id: invoice, actor: 'ada', expression: 'round(net * config.vat(customer_country).rate, 2)' },
          inputs: [
            { key: 'customer_country', type: 'text', value: 'DE' },
            { key: 'net', type: 'number', value: '100.05' },
          ],
          binding: { asOf: '2020-08-15' },
        },
      },
    })
    expect(verifyBundle(text.replace('100.05', '100.06'))).toMatchObject({ ok: false })
  })

  it('has virtual formulas as inputs', async () => {
    const { text } = await ada('GET', pathOf('buyer'))
    expect(verifyBundle(text)).toMatchObject({ ok: true, value: '"Ada (DE)"' })
  })

  it('exists only for stored formulas', async () => {
    for (const field of ['net', 'half', 'lines'])
      expect(await ada('GET', pathOf(field))).toMatchObject({
        status: 422,
        body: { code: 'request.invalid' },
      })
  })

  it('is refused to users who cannot read a set or an input of it', async () => {
    expect(await cid('GET', pathOf('tax'))).toMatchObject({ status: 403, body: { code: 'access.denied' } })
    expect((await cid('GET', pathOf('total'))).status).toBe(200)
    const hidden = await pat('GET', pathOf('tax'))
    expect(hidden).toMatchObject({ status: 403, body: { code: 'access.denied' } })
    expect(hidden.text).toContain('reads 2 values that you cannot read')
    expect(hidden.text).not.toContain('DE')
  })
})
