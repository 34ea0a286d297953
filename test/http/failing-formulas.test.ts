// A stored formula that fails refuses the save; if it is added to records that exist, the job that fills it and the
// explanation of the value name the error, its place and its operands, to those who can read them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { fieldsOf } from '../records/bodies.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const quantity = { key: 'quantity', ...number }
const computed = [
  { key: 'unit', ...number, formula: { expression: 'net / quantity', stored: true } },
  { key: 'share', ...number, formula: { expression: '1 + net / quantity', stored: false } },
  { key: 'shares', ...number, formula: { expression: 'share * 2', stored: true } },
  { key: 'density', ...number, formula: { expression: 'net / (weight - 5)', stored: true } },
]

function bodiesWith(...fields: object[]): Bodies {
  const bodies = billing()
  const invoice = bodies['object/invoice'] as object
  return { ...bodies, 'object/invoice': { ...invoice, fields: [...fieldsOf(bodies, 'invoice'), ...fields] } }
}

interface Explained {
  value: string | null
  problem: { code: string; message: string } | null
  present: { problem: { code: string; message: string } | null } | null
}

let test: TestServer
let ada: Ask
/** Cannot read the quantity. */
let cid: Ask
let dan: Ask
let id: string
let other: string
beforeAll(async () => {
  test = await runningServer()
  const bodies = bodiesWith(quantity)
  await apply(test.studio, [...billingComponents(bodies), clerk(bodies)])
  const all = clerk(bodiesWith(quantity, ...computed)) as {
    body: { objects: object; fields: Record<string, object> }
  }
  const { 'invoice.quantity': _hidden, ...fields } = all.body.fields
  for (const { key } of computed)
    for (const each of [all.body.fields, fields]) each[`invoice.${key}`] = { read: true }
  const operator = {
    ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
    body: { systemPermissions: ['operations.manage'] },
  }
  // Sees lines, and no invoice of others.
  const carrier = {
    ...{ ...all, key: 'carrier', label: 'Carrier' },
    body: { ...all.body, objects: { ...all.body.objects, invoice: { read: true } } },
  }
  const partial = { ...all, key: 'partial', label: 'Partial', body: { ...all.body, fields } }
  await apply(test.studio, [operator])
  const users = [{ key: 'ada', permissionSets: ['clerk', 'operator'] }]
  ;({ ada } = (await signIn(test, users)) as { ada: Ask })
  const record = { number: 'A', tax_point: '2021-01-01', net: '12', quantity: '0' }
  const { status, body } = await ada<{ id: string }>('POST', '/data/v3/invoice', record)
  expect(status).toBe(201)
  id = body.id
  const second = await ada<{ id: string }>('POST', '/data/v3/invoice', {
    ...record,
    number: 'B',
    quantity: '3',
  })
  other = second.body.id
  const [invoice] = billingComponents(bodiesWith(quantity, ...computed)).filter(
    (each) => (each as { key: string }).key === 'invoice',
  )
  await apply(test.studio, [invoice!, all, partial, carrier])
  ;({ cid, dan } = (await signIn(test, [
    { key: 'cid', permissionSets: ['partial'] },
    { key: 'dan', permissionSets: ['carrier'] },
  ])) as { cid: Ask; dan: Ask })
})
afterAll(() => test.close())

const explain = async (ask: Ask, field: string): Promise<Explained> =>
  (await ask<Explained>('GET', `/data/v3/invoice/${id}/values/${field}`)).body

it('is named by the job that fills it, for each record without a value', async () => {
  await expect
    .poll(async () => {
      const { body } = await ada<{ jobs: { kind: string; state: string }[] }>('GET', '/setup/v3/jobs')
      return body.jobs.find(({ kind }) => kind === 'fill')
    })
    .toMatchObject({
      ...{ state: 'completed', total: 2, done: 2, failed: 1 },
      failures: [
        {
          ...{ record: id, code: 'expression.evaluation' },
          message:
            'unit cannot be computed. The expression could not be evaluated. shares cannot be computed. The expression could not be evaluated.',
        },
      ],
    })
})

it('is explained by the error, its place and its operands', async () => {
  const message = '12 cannot be divided by zero. This is at characters 7 to 14: quantity'
  const unit = await explain(ada, 'unit')
  const problem = { code: 'expression.evaluation', message: `unit cannot be computed. ${message}` }
  expect(unit).toMatchObject({ value: null, problem, present: { problem } })
  expect((await explain(ada, 'share')).problem?.message).toContain('characters 11 to 18: quantity')
  expect((await explain(ada, 'shares')).problem?.message).toContain(
    '12 cannot be divided by zero. This is at characters 11 to 18 of the formula invoice.share: quantity',
  )
})

it('is explained without values to a user who cannot read all of them, also within a virtual formula', async () => {
  for (const field of ['unit', 'share', 'shares'])
    expect((await explain(cid, field)).problem).toEqual({
      code: 'expression.evaluation',
      message: `${field} cannot be computed. The expression could not be evaluated.`,
    })
})

it('refuses the save of a record that has no value for it', async () => {
  const record = { number: 'C', tax_point: '2021-01-01', net: '12', quantity: '0' }
  const { status, body } = await ada('POST', '/data/v3/invoice', record)
  expect([status, body['code']]).toEqual([422, 'record.invalid'])
  const code = 'expression.evaluation'
  const zero = '12 cannot be divided by zero. This is at characters'
  expect(body['details']).toEqual([
    {
      ...{ field: 'unit', code, expression: 'net / quantity', start: 6, end: 14, calcFunction: null },
      message: `unit cannot be computed from net / quantity. ${zero} 7 to 14: quantity`,
    },
    {
      ...{ field: 'shares', code, expression: 'share * 2', start: 10, end: 18, calcFunction: null },
      ...{ formula: 'invoice.share' },
      message: `shares cannot be computed from share * 2. ${zero} 11 to 18 of the formula invoice.share: quantity`,
    },
  ])
  expect(body['detail']).toContain(`unit cannot be computed from net / quantity. ${zero} 7 to 14: quantity`)
  expect((await ada('GET', `/data/v3/invoice/${id}`)).body).toMatchObject({
    fields: { unit: null, share: null },
    errors: { share: 'expression.evaluation' },
  })
})

it('refuses the save without values or expressions to a user who cannot read all that the formula has read', async () => {
  const { body } = await cid('POST', '/data/v3/invoice', { number: 'D', tax_point: '2021-01-01', net: '12' })
  const saved = body as unknown as { id: string }
  expect(
    (await ada('PATCH', `/data/v3/invoice/${saved.id}`, { quantity: '0' }, { 'if-match': '*' })).status,
  ).toBe(422)
  const vague = (field: string): object => ({
    ...{ field, code: 'expression.evaluation' },
    message: `${field} cannot be computed. The expression could not be evaluated.`,
  })
  const changed = await cid('PATCH', `/data/v3/invoice/${id}`, { net: '13' }, { 'if-match': '*' })
  expect([changed.status, changed.body['details']]).toEqual([422, [vague('unit'), vague('shares')]])
})

it('refuses the save of a line without the values of an invoice that the user cannot see', async () => {
  const line = await ada<{ id: string }>('POST', '/data/v3/line', { invoice: other, weight: '4' })
  expect(line.status).toBe(201)
  const detailsOf = async (ask: Ask): Promise<unknown> => {
    const path = `/data/v3/line/${line.body.id}`
    const { status, body } = await ask('PATCH', path, { weight: '5' }, { 'if-match': '*' })
    expect([status, body['code']]).toEqual([422, 'record.invalid'])
    return body['details']
  }
  expect(await detailsOf(ada)).toMatchObject([
    {
      message: expect.stringContaining('12 cannot be divided by zero') as string,
      expression: 'net / (weight - 5)',
    },
  ])
  expect(await detailsOf(dan)).toEqual([
    {
      ...{ field: 'density', code: 'expression.evaluation' },
      message: 'density cannot be computed. The expression could not be evaluated.',
    },
  ])
})
