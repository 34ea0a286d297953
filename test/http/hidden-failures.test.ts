// The message of a failed expression contains values that it has read: no user sees those of hidden records or sets.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const number = { type: 'number', precision: 12, scale: 2 }

/** A customer has a limit; an invoice a quantity, and what is computed from them. */
function bodies(): Bodies {
  const all = structuredClone(billing()) as Record<string, { fields: object[]; validationRules?: object[] }>
  all['object/customer']!.fields.push({ key: 'limit', ...number }, { key: 'owner', type: 'text' })
  Object.assign(all['object/customer']!, { sharing: { default: 'private', ownerField: 'owner' } })
  all['object/invoice']!.fields.push(
    { key: 'quantity', ...number },
    { key: 'spare', ...number },
    { key: 'room', ...number, formula: { expression: 'customer.limit / spare', stored: false } },
    { key: 'rate', ...number, formula: { expression: 'config.margin.rate / quantity', stored: false } },
    { key: 'rates', ...number, formula: { expression: 'rate * 2', stored: true } },
    { key: 'place', type: 'text' },
    {
      ...{ key: 'local', ...number },
      formula: { expression: 'place == "x" ? config.vat(config.margin.home).rate : 0', stored: true },
    },
  )
  all['object/invoice']!.validationRules!.push({
    ...{ key: 'roomy', when: 'quantity == 7 && prior.room > 1', message: 'There was room.' },
  })
  return {
    ...all,
    'config_set/margin': {
      ...{ cardinality: 'singleton', effectiveDated: false, scopes: ['org'] },
      fields: [
        { key: 'rate', type: 'number', precision: 6, scale: 4, required: true },
        { key: 'home', type: 'text', required: true },
      ],
    },
    'config_entry/margin.org': {
      ...{ set: 'margin', scope: { kind: 'org' }, values: { rate: '0.3700', home: 'QQ' } },
    },
    'automation/heavy': {
      ...{ object: 'invoice', phase: 'after_write' },
      actions: [{ key: 'refuse', type: 'raise', when: 'net / (weight - 5) > 99999', message: 'Too heavy.' }],
    },
  }
}

let test: TestServer
let ada: Ask
/** Reads the fields of all objects, but sees neither invoices nor customers of others, nor the margin. */
let dan: Ask
/** Sees all invoices, but neither customers of others nor the margin. */
let kim: Ask
let customer: string
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(bodies()), clerk(bodies())])
  const all = clerk(bodies()) as { body: { objects: Record<string, object>; fields: object } }
  const own = { create: true, read: true, update: true }
  const objects = { ...all.body.objects, invoice: { read: true }, customer: own }
  const carrier = { ...all, key: 'carrier', label: 'Carrier', body: { ...all.body, objects } }
  const keeper = {
    ...{ ...all, key: 'keeper', label: 'Keeper' },
    body: { ...all.body, objects: { ...objects, invoice: all.body.objects['invoice']! } },
  }
  const vat = billingComponents(bodies()).find((each) => (each as { key: string }).key === 'vat')
  await apply(test.studio, [
    carrier,
    keeper,
    { ...vat, body: { ...bodies()['config_set/vat'], read: { administrator: 'read', keeper: 'read' } } },
  ])
  const asks = (await signIn(test, [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'dan', permissionSets: ['carrier'] },
    { key: 'kim', permissionSets: ['keeper'] },
  ])) as { ada: Ask; dan: Ask; kim: Ask }
  ;({ ada, dan, kim } = asks)
  const made = await ada<{ id: string }>('POST', '/data/v3/customer', {
    name: 'C',
    country: 'DE',
    limit: '4321',
  })
  customer = made.body.id
})
afterAll(() => test.close())

async function invoice(values: object): Promise<string> {
  const body = { tax_point: '2021-01-01', net: '1234', quantity: '1', customer, ...values }
  const made = await ada<{ id: string }>('POST', '/data/v3/invoice', body)
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}

/** The detail of a refused change. */
async function refusal(ask: Ask, path: string, values: object): Promise<string> {
  const { status, body } = await ask('PATCH', `/data/v3/${path}`, values, { 'if-match': '*' })
  expect([status, body['code']]).toEqual([422, 'record.invalid'])
  return JSON.stringify([body['detail'], body['details']])
}

it('an automation over an invoice that follows from a line', async () => {
  const line = { invoice: await invoice({ number: 'A' }), weight: '4' }
  const made = await ada<{ id: string }>('POST', '/data/v3/line', line)
  const path = `line/${made.body.id}`
  expect(await refusal(ada, path, { weight: '5' })).toContain('1234 cannot be divided by zero')
  expect(await refusal(dan, path, { weight: '5' })).toMatch(
    /heavy failed. The expression could not be eval[^_]*$/,
  )
})

it('a set that a virtual formula reads', async () => {
  const path = `invoice/${await invoice({ number: 'B' })}`
  expect(await refusal(ada, path, { quantity: '0' })).toContain('0.37 cannot be divided by zero')
  expect(await refusal(kim, path, { quantity: '0' })).toMatch(/^((?!0\.37|config\.).)*$/)
})

it('a set whose value is the key in a different set', async () => {
  const path = `invoice/${await invoice({ number: 'C' })}`
  expect(await refusal(ada, path, { place: 'x' })).toContain('QQ')
  expect(await refusal(kim, path, { place: 'x' })).not.toContain('QQ')
})

it('a virtual formula before the save, along a reference to a hidden record', async () => {
  const mine = { name: 'K', country: 'DE', limit: '1', owner: 'kim' }
  const own = await kim<{ id: string }>('POST', '/data/v3/customer', mine)
  const path = `invoice/${await invoice({ number: 'D', spare: '0' })}`
  const text = await refusal(kim, path, { quantity: '7', customer: own.body.id })
  expect(text).toContain('roomy')
  expect(text).not.toContain('4321')
})
