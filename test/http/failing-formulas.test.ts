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
let id: string
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
  const partial = { ...all, key: 'partial', label: 'Partial', body: { ...all.body, fields } }
  await apply(test.studio, [operator])
  const users = [{ key: 'ada', permissionSets: ['clerk', 'operator'] }]
  ;({ ada } = (await signIn(test, users)) as { ada: Ask })
  const record = { number: 'A', tax_point: '2021-01-01', net: '12', quantity: '0' }
  const { status, body } = await ada<{ id: string }>('POST', '/data/v3/invoice', record)
  expect(status).toBe(201)
  id = body.id
  await ada('POST', '/data/v3/invoice', { ...record, number: 'B', quantity: '3' })
  const [invoice] = billingComponents(bodiesWith(quantity, ...computed)).filter(
    (each) => (each as { key: string }).key === 'invoice',
  )
  await apply(test.studio, [invoice!, all, partial])
  ;({ cid } = (await signIn(test, [{ key: 'cid', permissionSets: ['partial'] }])) as { cid: Ask })
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
  const message = '12 cannot be divided by zero. This is at characters 1 to 14: net / quantity'
  const unit = await explain(ada, 'unit')
  const problem = { code: 'expression.evaluation', message: `unit cannot be computed. ${message}` }
  expect(unit).toMatchObject({ value: null, problem, present: { problem } })
  expect((await explain(ada, 'share')).problem?.message).toContain('characters 5 to 18: net / quantity')
  expect((await explain(ada, 'shares')).problem?.message).toContain('12 cannot be divided by zero')
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
  expect(body['details']).toMatchObject([{ field: 'unit' }, { field: 'shares' }])
  expect((await ada('GET', `/data/v3/invoice/${id}`)).body).toMatchObject({
    fields: { unit: null, share: null },
    errors: { share: 'expression.evaluation' },
  })
})
