// A save that configuration has no value for names the set, the key and the field, to users who can read all of that.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

let test: TestServer
let ada: Ask
let cid: Ask
let eve: Ask
let customer: string

const withoutCountry = (): object => {
  const { body, ...set } = clerk() as { body: { fields: Record<string, object>; objects: object } }
  const { 'customer.country': _, ...fields } = body.fields
  return { ...set, key: 'partial', label: 'Partial', body: { ...body, fields } }
}

beforeAll(async () => {
  test = await runningServer()
  const automation = {
    ...{ type: 'automation', key: 'fill', label: 'Fill' },
    body: {
      ...{ object: 'invoice', phase: 'before_write', when: 'number == "fill"' },
      actions: [{ type: 'assign', key: 'net', values: { net: 'config.vat(number).rate' } }],
    },
  }
  await apply(test.studio, [...billingComponents(), clerk(), withoutCountry(), automation])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'cid', permissionSets: ['clerk'] },
    { key: 'eve', permissionSets: ['partial', 'administrator'] },
  ]
  ;({ ada, cid, eve } = (await signIn(test, users)) as { ada: Ask; cid: Ask; eve: Ask })
  const { body } = await ada<{ id: string }>('POST', '/data/v3/customer', { name: 'Xi', country: 'XX' })
  customer = body.id
})
afterAll(() => test.close())

async function refused(ask: Ask, fields: object): Promise<unknown[]> {
  const { status, body } = await ask('POST', '/data/v3/invoice', {
    ...{ number: 'N', tax_point: '2022-01-01', net: '1', ...fields },
  })
  expect([status, body['code']]).toEqual([422, 'record.invalid'])
  return body['details'] as unknown[]
}

it('names the set, the key and the field', async () => {
  expect(await refused(ada, { customer })).toEqual([
    {
      ...{ field: 'tax', code: 'config.unknown_key', set: 'vat', key: 'XX' },
      message: 'tax cannot be computed. vat has no key "XX". Did you mean "AT"?',
    },
  ])
  const { body } = await ada<{ id: string }>('POST', '/data/v3/customer', { name: 'De', country: 'DE' })
  expect(await refused(ada, { customer: body.id, tax_point: '1999-01-01' })).toMatchObject([
    {
      ...{ field: 'tax', code: 'config.not_effective', set: 'vat', key: 'DE' },
      message: expect.stringMatching(/vat "DE" is not effective on 1999-01-01: its first date is 2007-01-01/),
    },
  ])
  expect(await refused(ada, { number: 'fill' })).toMatchObject([
    {
      automation: 'fill',
      set: 'vat',
      key: 'fill',
      message: 'The automation fill failed. vat has no key "fill".',
    },
  ])
})

it('names neither to a user who cannot read the set, or the value that is the key', async () => {
  for (const ask of [cid, eve])
    expect(await refused(ask, { customer })).toEqual([
      {
        ...{ field: 'tax', code: 'config.unknown_key' },
        message: 'tax cannot be computed. The set has no such key.',
      },
    ])
})
