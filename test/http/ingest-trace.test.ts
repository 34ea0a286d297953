// One correlation id from the request that creates a bulk job through its batches, saves and calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../server/ports/trace.ts'
import { callingOrg, type CallingOrg } from '../support/calling-org.ts'
import { ended, jobs, putPart, type Job } from '../support/ingest-requests.ts'

let org: CallingOrg
beforeAll(async () => (org = await callingOrg()))
afterAll(() => org.close())

const traceOf = async (correlationId: string): Promise<TraceEvent[]> => {
  const path = `/setup/v3/trace?limit=200&correlationId=${correlationId}`
  return (await org.asks.ops<{ events: TraceEvent[] }>('GET', path)).body.events.reverse()
}
async function loadInvoices(correlationId: string, rows: string[]): Promise<Job & { correlationId: string }> {
  const headers = { 'x-correlation-id': correlationId }
  const request = { object: 'invoice', operation: 'insert', format: 'csv' }
  const { body, text } = await org.asks.ada<Job & { correlationId: string }>('POST', jobs, request, headers)
  expect(body.correlationId, text).toBe(correlationId)
  await putPart(org.asks.ada, body.id, 1, `number,tax_point,net,customer\n${rows.join('\n')}\n`)
  const closed = await org.asks.ada('POST', `${jobs}/${body.id}/close`, { parts: 1 })
  expect(closed.status, closed.text).toBe(200)
  return { ...(await ended(org.asks.ada, body.id)), correlationId }
}

describe('the trace of a bulk job', () => {
  it('has its close, its batches, their calls and its end, and no value of a row', async () => {
    const { body: customer } = await org.asks.ada<{ id: string }>('POST', '/data/v3/customer', {
      ...{ name: 'A', country: 'DE' },
    })
    const rows = ['CANARY-1', 'CANARY-2'].map((number) => `${number},2022-08-15,100,${customer.id}`)
    const job = await loadInvoices('c-bulk', [...rows, `CANARY-3,never,1,${customer.id}`])
    expect(job).toMatchObject({ state: 'completed', created: 2, failed: 1 })
    const kinds = async (): Promise<string[]> => (await traceOf('c-bulk')).map(({ kind }) => kind).sort()
    await expect.poll(kinds).toEqual(['delivery', 'delivery', 'ingest', 'ingest', 'save'])
    const events = await traceOf('c-bulk')
    const own = events.filter(({ kind }) => kind === 'ingest').map(({ facts }) => facts)
    const facts = { ingest: job.id, operation: 'insert', client: 'ada' }
    expect(own).toEqual(
      expect.arrayContaining([
        {
          ...facts,
          state: 'queued',
          rows: 0,
          created: 0,
          changed: 0,
          unchanged: 0,
          deleted: 0,
          failed: 0,
          code: null,
        },
        {
          ...facts,
          state: 'completed',
          rows: 3,
          created: 2,
          changed: 0,
          unchanged: 0,
          deleted: 0,
          failed: 1,
          code: null,
        },
      ]),
    )
    const save = events.find(({ kind }) => kind === 'save')!
    expect(save).toMatchObject({ actor: 'ada', facts: { ingest: job.id, items: 3, operation: null } })
    for (const event of events) expect(event.actor).toBe('ada')
    expect(JSON.stringify(events)).not.toContain('CANARY')
  })

  it('has why a job ended early', async () => {
    const request = { object: 'invoice', operation: 'insert', format: 'csv' }
    const headers = { 'x-correlation-id': 'c-aborted' }
    const { body } = await org.asks.ada<Job>('POST', jobs, request, headers)
    await org.asks.ada('POST', `${jobs}/${body.id}/abort`)
    expect(await traceOf('c-aborted')).toMatchObject([
      { kind: 'ingest', isFailed: false, facts: { ingest: body.id, state: 'aborted', code: null } },
    ])
    const job = await loadInvoices('c-broken', ['"never closed'])
    expect(job.state).toBe('failed')
    const [last] = (await traceOf('c-broken')).slice(-1)
    expect(last).toMatchObject({ isFailed: true, facts: { state: 'failed', code: 'ingest.row' } })
    expect(JSON.stringify(last)).not.toContain('never closed')
  })
})
