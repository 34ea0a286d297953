// Jobs are read by users with fewer rights than their creators: filters and messages show no hidden value.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Job {
  id: string
  state: string
  filter: string | null
  failures: { record: string; code: string; message: string }[]
  problem: { code: string; message: string } | null
}

const operator = (key: string, body: object) => ({
  ...{ type: 'permission_set', key, label: key },
  body: { systemPermissions: ['operations.manage'], ...body },
})
const refused = {
  ...{ type: 'automation', key: 'refuse', label: 'Refuse' },
  body: {
    ...{ object: 'customer', phase: 'post_commit', when: 'name == "Refused"' },
    actions: [{ key: 'no', type: 'raise', message: 'Not this one.' }],
  },
}

let test: TestServer
let ada: Ask
/** Sees every invoice, but no customer. */
let pat: Ask
/** Sees no object. */
let ole: Ask
beforeAll(async () => {
  test = await runningServer()
  const some = {
    objects: { invoice: { read: true, viewAll: true } },
    fields: { 'invoice.number': { read: true }, 'invoice.tax': { read: true } },
  }
  await apply(test.studio, [
    ...[...billingComponents(), clerk(), refused],
    ...[operator('runs', {}), operator('partial', some)],
  ])
  const asks = await signIn(test, [
    { key: 'ada', permissionSets: ['clerk', 'runs', 'administrator'] },
    { key: 'pat', permissionSets: ['partial', 'administrator'] },
    { key: 'ole', permissionSets: ['runs'] },
  ])
  ;({ ada, pat, ole } = asks as { ada: Ask; pat: Ask; ole: Ask })
})
afterAll(() => test.close())

async function ended(kind: string, job?: object): Promise<Job> {
  if (job !== undefined) expect((await ada('POST', '/setup/v3/jobs', { kind, ...job })).status).toBe(202)
  return expect
    .poll(async () => {
      const { body } = await ada<{ jobs: (Job & { kind: string })[] }>('GET', '/setup/v3/jobs')
      return body.jobs.find((each) => each.kind === kind && !['queued', 'processing'].includes(each.state))
    })
    .toBeDefined()
    .then(async () => {
      const { body } = await ada<{ jobs: (Job & { kind: string })[] }>('GET', '/setup/v3/jobs')
      return body.jobs.find((each) => each.kind === kind)!
    })
}
const seenBy = async (ask: Ask, { id }: Job): Promise<Job> =>
  (await ask<Job>('GET', `/setup/v3/jobs/${id}`)).body

it('a filter is shown to users who can read what it compares', async () => {
  const job = await ended('replay', { object: 'invoice', filter: 'customer.country == "secret"' })
  expect(job.filter).toContain('secret')
  expect(await seenBy(pat, job)).toMatchObject({ object: 'invoice', filter: null })
  const open = await ended('rebind', { object: 'invoice', filter: 'number == "N-1"' })
  expect(await seenBy(pat, open)).toMatchObject({ object: 'invoice', filter: 'number == "N-1"' })
})

it('a failure does not name the key that configuration lacks', async () => {
  const { body: customer } = await ada<{ id: string }>('POST', '/data/v3/customer', {
    ...{ name: 'Ada', country: 'AT' },
  })
  const invoice = { number: 'N-1', customer: customer.id, tax_point: '2022-01-01', net: '1' }
  expect((await ada('POST', '/data/v3/invoice', invoice)).status).toBe(201)
  const vat = billing()['config_entry/vat.at']!
  await apply(test.studio, [
    { type: 'config_entry', key: 'vat.at', label: 'at', body: { ...vat, key: 'CH' } },
  ])
  const job = await ended('recompute', { object: 'invoice' })
  expect(job.failures).toMatchObject([{ code: 'record.invalid' }])
  for (const ask of [ada, pat]) expect(JSON.stringify((await seenBy(ask, job)).failures)).not.toContain('AT')
})

it('the problem of a job is only of a kind for users who cannot see its object', async () => {
  expect((await ada('POST', '/data/v3/customer', { name: 'Refused', country: 'DE' })).status).toBe(201)
  const job = await ended('automation')
  expect(job.problem).toMatchObject({
    code: 'record.invalid',
    message: expect.stringMatching(/customer.*Not this one/),
  })
  for (const ask of [ole, pat])
    expect(await seenBy(ask, job)).toMatchObject({
      object: null,
      problem: { code: 'record.invalid', message: 'The record is not valid.' },
    })
})
