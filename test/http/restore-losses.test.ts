// A rollback or a revert that would lose values of records, or fields in use, is refused unless its author confirms it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Answer, type Ask, type TestServer } from '../support/running-server.ts'

const withPhones = (): Record<string, Bodies> => {
  const all = billing() as Record<string, Bodies>
  const customer = all['object/customer']!
  const added = ['phone', 'fax'].map((key) => ({ key, type: 'text' }))
  return {
    ...all,
    'object/customer': { ...customer, fields: [...(customer['fields'] as object[]), ...added] },
  }
}
const customer = 'object/customer'
const confirmed = { breaking: [customer] }

let test: TestServer
let ada: Ask
/** The generation before the fields, and the one that adds them. */
let before: number
let added: number
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])) as { ada: Ask })
  before = await active()
  await apply(test.studio, [...billingComponents(withPhones() as never), clerk(withPhones() as never)])
  added = await active()
  await useFields()
})
afterAll(() => test.close())

/** Both fields are used, and one of them has a value. */
async function useFields(object = 'customer'): Promise<void> {
  const saved = await ada('POST', `/data/v3/${object}`, { name: 'Ada', country: 'DE', phone: '1', fax: null })
  expect(saved.status).toBe(201)
}

const post = (path: string, body: object): Promise<Answer> =>
  test.studio('POST', `/metadata/v3/${path}`, body)
async function active(): Promise<number> {
  const { body } = await test.studio<{ active: number }>('GET', '/metadata/v3/generations?limit=1')
  return body.active
}
interface Planned {
  plan: { changeDigest: string }
  findings: { code: string; severity: string; component: string }[]
}
async function plan(list: object): Promise<Planned> {
  return (await post('plan', list)).body as unknown as Planned
}
const losses = async (list: object): Promise<string[]> =>
  (await plan(list)).findings
    .filter(({ code }) => code === 'object.values_lost' || code === 'deploy.field_in_use')
    .map(({ severity, code, component }) => `${severity}: ${code} of ${component}`)

const lost = (severity: string, of = customer): string[] => [
  `${severity}: object.values_lost of ${of}`,
  `${severity}: deploy.field_in_use of ${of}`,
  `${severity}: deploy.field_in_use of ${of}`,
]

it('a plan has warnings for the objects that its author names, and errors for all others', async () => {
  // The uses of clients are written once a second.
  await expect.poll(() => losses({ generation: before }), { timeout: 5000 }).toEqual(lost('error'))
  for (const list of [{ generation: before }, { revert: { generation: added } }]) {
    expect(await losses(list)).toEqual(lost('error'))
    expect(await losses({ ...list, breaking: ['object/invoice'] })).toEqual(lost('error'))
    expect(await losses({ ...list, ...confirmed })).toEqual(lost('warning'))
    const [open, confirmedPlan] = [await plan(list), await plan({ ...list, ...confirmed })]
    expect(confirmedPlan.plan.changeDigest).toBe(open.plan.changeDigest)
  }
})

it('a change list of components is not confirmed by ids', async () => {
  const refused = await post('plan', { components: [], ...confirmed })
  expect([refused.status, refused.body['code']]).toEqual([400, 'request.malformed'])
})

it('a request for approval of older content is submitted with what its author confirms', async () => {
  const refused = await post('change-requests', { generation: before })
  expect([refused.status, refused.body['code']]).toEqual([422, 'deploy.invalid'])
  const submitted = await post('change-requests', { generation: before, ...confirmed })
  expect(submitted.status).toBe(201)
  const { id } = submitted.body
  const { body } = await test.studio<Planned>('GET', `/metadata/v3/change-requests/${String(id)}`)
  expect(body.findings.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning'])
})

it('a revert is applied once it is confirmed, and the audit keeps that', async () => {
  const refused = await post('revert', { generation: added })
  expect([refused.status, refused.body['code']]).toEqual([422, 'deploy.invalid'])
  const done = await post('revert', { generation: added, ...confirmed })
  expect([done.status, done.text]).toEqual([200, expect.any(String)])
  const { body } = await test.studio<{ rows: { component: string; actor: string; hints?: object }[] }>(
    'GET',
    `/metadata/v3/audit?component=${encodeURIComponent(customer)}&limit=1`,
  )
  expect(body.rows).toMatchObject([{ component: customer, hints: { breaking: true } }])
})

it('a rollback is applied once it is confirmed, even if it renames the object back', async () => {
  expect((await post('rollback', { generation: added })).status).toBe(200)
  const body = withPhones()[customer]
  await apply(test.studio, [
    { type: 'object', key: 'client', label: 'customer', body, renamedFrom: 'customer' },
  ])
  await useFields('client')
  // The new name of the object is lost too.
  const all = [...lost('error'), `error: deploy.field_in_use of ${customer}`]
  await expect.poll(() => losses({ generation: before }), { timeout: 5000 }).toEqual(all)
  const refused = await post('rollback', { generation: before })
  expect([refused.status, refused.body['code']]).toEqual([422, 'deploy.invalid'])
  const done = await post('rollback', { generation: before, ...confirmed })
  expect(done.status).toBe(200)
  expect(done.body['findings']).toMatchObject([
    { severity: 'warning', code: 'object.values_lost' },
    { message: expect.stringMatching(/^client, a name of customer, was last used/) as string },
    ...[{}, {}],
  ])
})
