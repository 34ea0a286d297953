// The execution trace of a real server over a real target: one correlation id from the save to the delivery, without a
// value or a secret; the circuit breakers; metrics.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../server/ports/trace.ts'
import type { BreakerStatus, TestCallView } from '../../server/wire/operations.ts'
import { apply } from '../support/billing-org.ts'
import { callingOrg, ledgerCredential, type CallingOrg } from '../support/calling-org.ts'

let org: CallingOrg
beforeAll(async () => (org = await callingOrg()))
afterAll(() => org.close())
beforeEach(() => org.respond((_request, response) => response.writeHead(204).end()))

const traceOf = async (query: string): Promise<TraceEvent[]> =>
  (await org.asks.ops<{ events: TraceEvent[] }>('GET', `/setup/v3/trace?${query}`)).body.events
const kinds = async (correlationId: string): Promise<string[]> =>
  (await traceOf(`correlationId=${correlationId}`)).map(({ kind }) => kind).reverse()
const saved = (correlationId: string, values: object = {}): Promise<string> =>
  org.save(values, { 'x-correlation-id': correlationId })

describe('the trace of a correlation id', () => {
  it('has the save, each failed attempt and the delivery', async () => {
    let failures = 1
    org.respond((_request, response) => response.writeHead((failures -= 1) >= 0 ? 503 : 204).end())
    const id = await saved('c-delivered')
    await expect.poll(() => kinds('c-delivered')).toEqual(['save', 'attempt', 'delivery'])
    const [save, attempt, delivery] = (await traceOf('correlationId=c-delivered')).reverse()
    const common = { correlationId: 'c-delivered', record: `invoice/${id}`, actor: 'ada' }
    expect(save).toMatchObject({ ...common, isFailed: false, facts: { items: 1, objects: ['invoice'] } })
    const call = { automation: 'report', action: 'send', method: 'PUT' }
    const endpoint = `http://127.0.0.1:${org.port}/v1/invoices/{number}`
    expect(attempt).toMatchObject({
      ...{ ...common, subject: 'named_credential/ledger', isFailed: true },
      facts: { ...call, n: 1, status: 503, code: 'integration.remote_failed', endpoint },
    })
    expect(delivery).toMatchObject({
      ...{ ...common, subject: 'named_credential/ledger', isFailed: false },
      facts: { ...call, attempts: 2, status: 204, endpoint },
    })
    expect(delivery!.durationMs).toBeGreaterThanOrEqual(0)
  })

  it('has a dead call, and what an operator did with it', async () => {
    org.respond((_request, response) => response.writeHead(400).end())
    const id = await saved('c-dead')
    const row = await org.dead(id)
    expect(await kinds('c-dead')).toEqual(['save', 'attempt', 'dead'])
    expect((await org.asks.ops('POST', `/setup/v3/outbox/${row.id}/resolve`)).status).toBe(204)
    const events = await traceOf('correlationId=c-dead')
    expect(events[0]).toMatchObject({
      kind: 'handled',
      actor: 'ops',
      facts: { call: row.id, as: 'resolved' },
    })
  })

  it('has a call that is held by the breaker once, and the change of the breaker', async () => {
    const strict = {
      circuitBreaker: { failureThreshold: 1, windowSec: 60, openSec: 1 },
      retry: { attempts: 9, baseMs: 1 },
    }
    await apply(org.test.studio, [ledgerCredential(org.port, strict)])
    let failures = 3
    org.respond((_request, response) => response.writeHead((failures -= 1) >= 0 ? 500 : 204).end())
    await saved('c-held')
    await expect.poll(() => kinds('c-held'), { timeout: 15_000 }).toContain('delivery')
    const found = await kinds('c-held')
    // However often it is put off until the next attempt.
    const held = found.filter((kind) => kind === 'held').length
    expect([held >= 1, held <= 3]).toEqual([true, true])
    expect(found.filter((kind) => kind === 'attempt')).toHaveLength(3)
    const changes = await traceOf('correlationId=c-held&kind=breaker')
    expect(changes.at(-1)).toMatchObject({
      ...{ subject: 'named_credential/ledger', isFailed: true },
      facts: { from: 'closed', to: 'open', cause: 'failures' },
    })
    await apply(org.test.studio, [ledgerCredential(org.port)])
  })

  it('is listed by kind, component, record, time and failure, page by page', async () => {
    const [event] = await traceOf('correlationId=c-delivered&kind=delivery')
    const filters = [
      ...['kind=delivery', 'subject=named_credential/ledger', `record=${event!.record}`, 'failed=false'],
      `since=${event!.at}`,
    ]
    for (const filter of filters)
      expect((await traceOf(`${filter}&limit=2000`)).map(({ id }) => id)).toContain(event!.id)
    const others = [
      'kind=dead',
      'subject=named_credential/other',
      'record=invoice/x',
      'failed=true',
      `until=${event!.at}`,
    ]
    for (const filter of others)
      expect((await traceOf(`${filter}&limit=2000`)).map(({ id }) => id)).not.toContain(event!.id)
    const all = await traceOf('limit=2000')
    const pages: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? 'limit=3' : `limit=3&cursor=${cursor}`
      const page = await org.asks.ops<{ events: TraceEvent[]; nextCursor: string | null }>(
        'GET',
        `/setup/v3/trace?${query}`,
      )
      pages.push(...page.body.events.map(({ id }) => id))
      cursor = page.body.nextCursor
    }
    expect(pages).toEqual(all.map(({ id }) => id))
    expect((await org.asks.ops('GET', '/setup/v3/trace?cursor=x')).status).toBe(400)
    expect((await org.asks.ada('GET', '/setup/v3/trace')).status).toBe(403)
  })

  it('contains no value of a record and no secret, so that an erasure has nothing to remove from it', async () => {
    org.respond((request, response) => response.writeHead(500).end(JSON.stringify({ echo: request.headers })))
    const id = await saved('c-canary', { number: 'CANARY-NUMBER', secret: 'CANARY-PERSON' })
    await org.dead(id)
    const text = JSON.stringify(await traceOf('limit=2000'))
    expect(text).toContain('c-canary')
    for (const mark of ['CANARY', 'a-marked-key']) expect(text).not.toContain(mark)
    expect(
      (await org.asks.eve('POST', '/setup/v3/erasures', { object: 'invoice', id, reason: 'r' })).status,
    ).toBe(200)
    const files = readdirSync(org.test.dir).filter((name) => name.startsWith('records.'))
    for (const file of files)
      expect(readFileSync(join(org.test.dir, file)).includes('CANARY-PERSON')).toBe(false)
  })
})

describe('circuit breakers', () => {
  const breakers = async (): Promise<BreakerStatus[]> =>
    (await org.asks.ops<{ breakers: BreakerStatus[] }>('GET', '/setup/v3/breakers')).body.breakers

  it('are forced open and closed with a reason, which is in the audit', async () => {
    const opened = await org.asks.ops<BreakerStatus>('POST', '/setup/v3/breakers/ledger/open', {
      reason: 'moving',
    })
    expect(opened.body).toMatchObject({
      state: 'forced_open',
      by: 'ops',
      reason: 'moving',
      nextProbeAt: null,
    })
    const id = await saved('c-forced')
    await expect.poll(() => kinds('c-forced')).toEqual(['save', 'held'])
    expect(org.received).toEqual([])
    const closed = await org.asks.ops<BreakerStatus>('POST', '/setup/v3/breakers/ledger/close', {
      reason: 'moved',
    })
    expect(closed.body).toMatchObject({ state: 'closed', cause: 'forced_closed', by: 'ops', reason: 'moved' })
    // What it has held up is sent at once.
    await expect.poll(() => kinds('c-forced')).toContain('delivery')
    expect(await org.rowsOf(id)).toEqual([])
    const audit = await org.test.studio<{ rows: { kind: string; rationale: string; actor: string }[] }>(
      'GET',
      '/metadata/v3/audit?component=named_credential/ledger',
    )
    const forced = audit.body.rows.filter(({ kind }) => kind.startsWith('breaker.'))
    expect(forced.map(({ kind, rationale, actor }) => [kind, rationale, actor])).toEqual([
      ['breaker.forced_closed', 'moved', 'ops'],
      ['breaker.forced_open', 'moving', 'ops'],
    ])
  })

  it('are for operators, and need a reason', async () => {
    expect(await breakers()).toMatchObject([
      { credential: 'ledger', label: 'Ledger', budget: { concurrency: 10, requestsPerMinute: 600 } },
    ])
    expect((await org.asks.ops('POST', '/setup/v3/breakers/ledger/open', { reason: ' ' })).status).toBe(400)
    expect((await org.asks.ops('POST', '/setup/v3/breakers/none/open', { reason: 'r' })).status).toBe(404)
    expect((await org.asks.ada('GET', '/setup/v3/breakers')).status).toBe(403)
  })
})

describe('a test call', () => {
  const call = (who: 'ops' | 'eve', body: object = {}) =>
    org.asks[who]<TestCallView>('POST', '/setup/v3/named-credentials/ledger/test', body)

  it('shows the status, with the grant of the user who makes it', async () => {
    org.respond((_request, response) => response.writeHead(200).end('the body'))
    const refused = await call('ops')
    expect(refused.body).toMatchObject({ result: 'failed', status: null, problem: { code: 'access.denied' } })
    expect(org.received).toEqual([])
    const { body, text } = await call('eve', { method: 'GET' })
    expect(body).toMatchObject({ result: 'delivered', method: 'GET', status: 200, problem: null })
    expect(org.received.map(({ method, url, headers }) => [method, url, headers['x-key']])).toEqual([
      ['GET', '/v1', 'a-marked-key'],
    ])
    for (const mark of ['a-marked-key', 'the body']) expect(text).not.toContain(mark)
    const [event] = await traceOf(`correlationId=${body.correlationId}`)
    expect(event).toMatchObject({
      kind: 'callout',
      actor: 'eve',
      facts: { method: 'GET', status: 200, code: null },
    })
  })

  it('shows why it failed, after one attempt', async () => {
    org.respond((_request, response) => response.writeHead(503).end())
    const { body } = await call('eve')
    expect(body).toMatchObject({
      result: 'failed',
      status: 503,
      problem: { code: 'integration.remote_failed' },
    })
    expect(org.received).toHaveLength(1)
  })
})

describe('metrics', () => {
  it('show attempts by credential and outcome, breakers and the outbox', async () => {
    const { text } = await org.test.plain('GET', '/metrics')
    for (const line of [
      /^almanac_callout_duration_seconds_bucket\{credential="ledger",outcome="delivered",le="\+Inf"\} [1-9]/m,
      /^almanac_callout_duration_seconds_count\{credential="ledger",outcome="failed"\} [1-9]/m,
      /^almanac_callout_withheld_total\{credential="ledger",code="integration.breaker_open"\} [1-9]/m,
      /^almanac_callout_breaker_state\{credential="ledger",state="closed"\} 1$/m,
      /^almanac_outbox_rows\{state="dead"\} \d/m,
      /^almanac_trace_lost_total 0$/m,
    ])
      expect(text).toMatch(line)
  })
})
