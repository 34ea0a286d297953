// Actions over all dead calls of a filter: counted first, run as a job, in the audit once, and each discard by its row.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OutboxRowView } from '../../server/wire/outbox.ts'
import { apply } from '../support/billing-org.ts'
import { callingOrg, reportAutomation, type CallingOrg } from '../support/calling-org.ts'

let org: CallingOrg
beforeAll(async () => (org = await callingOrg()))
afterAll(() => org.close())
beforeEach(() => org.respond((_request, response) => response.writeHead(204).end()))

interface Started {
  rows: number
  unrepeatable: number
  job: string | null
}
interface Job {
  state: string
  done: number
  changed: number
  failed: number
  failures: { record: string; code: string }[]
  outbox: { action: string; filter: object } | null
}

const act = (body: object) => org.asks.ops<Started>('POST', '/setup/v3/outbox/actions', body)
const jobOf = async (id: string): Promise<Job> =>
  (await org.asks.ops<Job>('GET', `/setup/v3/jobs/${id}`)).body
const ended = async (id: string | null): Promise<Job> => {
  await expect.poll(async () => (await jobOf(id!)).state, { timeout: 20_000 }).toBe('completed')
  return jobOf(id!)
}
/** Saves invoices under one correlation id, whose calls are dead. */
async function dead(correlationId: string, count: number): Promise<OutboxRowView[]> {
  org.respond((_request, response) => response.writeHead(400).end())
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) ids.push(await org.save({}, { 'x-correlation-id': correlationId }))
  const rows: OutboxRowView[] = []
  for (const id of ids) rows.push(await org.dead(id))
  org.respond((_request, response) => response.writeHead(204).end())
  return rows
}
const statesOf = async (correlationId: string): Promise<string[]> => {
  const path = `/setup/v3/outbox?correlationId=${correlationId}&limit=200`
  return (await org.asks.ops<{ rows: OutboxRowView[] }>('GET', path)).body.rows.map(({ state }) => state)
}
const audit = async (component: string): Promise<{ kind: string; before: object; rationale: string }[]> =>
  (
    await org.test.studio<{ rows: { kind: string; before: object; rationale: string }[] }>(
      'GET',
      `/metadata/v3/audit?component=${component}`,
    )
  ).body.rows

it('requeues the dead calls of a filter, and leaves all others', async () => {
  await dead('c-other', 1)
  await dead('c-requeue', 5)
  const filter = { correlationId: 'c-requeue' }
  const counted = await act({ action: 'requeue', filter, dryRun: true })
  expect(counted.body).toEqual({ rows: 5, unrepeatable: 0, job: null })
  expect(await statesOf('c-requeue')).toEqual(Array(5).fill('dead'))
  const { body } = await act({ action: 'requeue', filter, reason: 'It is back.' })
  expect(await ended(body.job)).toMatchObject({
    ...{ done: 5, changed: 5, failed: 0, outbox: { action: 'requeue', filter } },
  })
  await expect.poll(() => statesOf('c-requeue')).toEqual([])
  expect(org.received).toHaveLength(5)
  expect(await statesOf('c-other')).toEqual(['dead'])
  const [entry] = await audit('outbox')
  expect(entry).toMatchObject({
    ...{ kind: 'outbox.requeued', rationale: 'It is back.' },
    before: { filter, rows: 5, unrepeatable: 0, acceptRepeat: false },
  })
})

it('does not requeue what the target may have carried out, unless that is accepted', async () => {
  await apply(org.test.studio, [reportAutomation({ method: 'POST', path: '/invoices', pathParams: {} })])
  const [row] = await dead('c-post', 1)
  await apply(org.test.studio, [reportAutomation()])
  await dead('c-post', 1)
  const filter = { correlationId: 'c-post' }
  expect((await act({ action: 'requeue', filter, dryRun: true })).body).toMatchObject({
    rows: 2,
    unrepeatable: 1,
  })
  const first = await act({ action: 'requeue', filter })
  expect(await ended(first.body.job)).toMatchObject({
    ...{ done: 2, changed: 1, failed: 1, failures: [{ record: row!.id, code: 'outbox.not_repeatable' }] },
  })
  await expect.poll(() => statesOf('c-post')).toEqual(['dead'])
  const second = await act({ action: 'requeue', filter, acceptRepeat: true })
  expect(await ended(second.body.job)).toMatchObject({ done: 1, changed: 1, failed: 0 })
  await expect.poll(() => statesOf('c-post')).toEqual([])
})

it('discards with a reason, and each discarded call is in the audit', async () => {
  const rows = await dead('c-discard', 3)
  const filter = { correlationId: 'c-discard' }
  const refused = await act({ action: 'discard', filter })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('reason')])
  const { body } = await act({ action: 'discard', filter, reason: 'Paid by hand.' })
  expect(await ended(body.job)).toMatchObject({ done: 3, changed: 3 })
  expect(await statesOf('c-discard')).toEqual(Array(3).fill('discarded'))
  for (const { id, record } of rows)
    expect(await audit(`outbox/${id}`)).toMatchObject([
      { kind: 'outbox.discarded', rationale: 'Paid by hand.', before: { credential: 'ledger', record } },
    ])
})

it('resolves; and without dead calls starts nothing', async () => {
  await dead('c-resolve', 2)
  const filter = { correlationId: 'c-resolve' }
  const { body } = await act({ action: 'resolve', filter })
  await ended(body.job)
  expect(await statesOf('c-resolve')).toEqual(['resolved', 'resolved'])
  expect((await act({ action: 'resolve', filter })).body).toEqual({ rows: 0, unrepeatable: 0, job: null })
  expect((await org.asks.ada('POST', '/setup/v3/outbox/actions', { action: 'resolve', filter })).status).toBe(
    403,
  )
})

it('compares instants and not texts, and refuses what is not one', async () => {
  const rows = await dead('c-time', 1)
  const createdAt = Date.parse(rows[0]!.createdAt)
  const inBerlin = (ms: number): string =>
    new Date(createdAt + ms + 7_200_000).toISOString().replace('Z', '+02:00')
  const count = async (filter: object): Promise<number> =>
    (await act({ action: 'discard', filter: { correlationId: 'c-time', ...filter }, dryRun: true })).body.rows
  expect(await count({ since: inBerlin(-1000), until: inBerlin(1000) })).toBe(1)
  expect(await count({ since: inBerlin(1000) })).toBe(0)
  expect(await count({ until: inBerlin(-1000) })).toBe(0)
  const second = new Date(Math.floor(createdAt / 1000) * 1000).toISOString().replace('.000Z', 'Z')
  expect(await count({ since: second })).toBe(1)
  for (const until of ['30/11/2026', '2999', 'tomorrow', '2026-13-01T00:00:00Z'])
    expect((await act({ action: 'discard', filter: { until }, reason: 'x' })).status).toBe(400)
  for (const path of ['outbox?since=1', 'trace?until=now', 'outbox?cursor=1', 'outbox?cursor=0x10'])
    expect((await org.asks.ops('GET', `/setup/v3/${path}`)).status).toBe(400)
})
