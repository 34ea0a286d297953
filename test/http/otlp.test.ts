// Spans of a real server, as a collector decodes them with the published schema: requests, saves, calls and bulk batches
// under one trace, without a value or a secret. A collector that fails holds nothing up.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../support/bundled.mjs'
import { callingOrg, type CallingOrg } from '../support/calling-org.ts'
import { ended, jobs, putPart } from '../support/ingest-requests.ts'
import { otlpCollector, type CollectedSpan, type Collector } from '../support/otlp-collector.ts'
import { runningServer } from '../support/running-server.ts'

let collector: Collector
let org: CallingOrg
beforeAll(async () => {
  collector = await otlpCollector()
  const otlp = { endpoint: collector.url, headers: 'x-tenant=a%20secret' }
  org = await callingOrg({ otlp })
})
afterAll(async () => {
  await org.close()
  await collector.close()
})
beforeEach(() => org.respond((_request, response) => response.writeHead(204).end()))

const trace = '0af7651916cd43dd8448eb211c80319c'
const uuid = '01a22c63-47b3-7000-b399-aac46185b5bd'
const spansOf = (traceId: string): CollectedSpan[] =>
  collector.spans.filter((span) => span.traceId === traceId)
const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan | undefined =>
  spans.find((span) => span.name === name)
async function eventually(traceId: string, ...names: string[]): Promise<CollectedSpan[]> {
  const missing = (): string[] => names.filter((name) => named(spansOf(traceId), name) === undefined)
  await expect.poll(missing, { timeout: 20_000 }).toEqual([])
  return spansOf(traceId)
}

describe('a trace', () => {
  it('has the request, the save and the call that it left, each with its parent', async () => {
    await org.save({ number: 'CANARY-NUMBER', secret: 'CANARY-PERSON' }, { 'x-correlation-id': trace })
    const spans = await eventually(trace, 'POST /data/v3/{object}', 'save', 'PUT ledger')
    const request = named(spans, 'POST /data/v3/{object}')!
    expect(request).toMatchObject({
      ...{ kind: 2, parentSpanId: null, isFailed: false },
      attributes: {
        ...{ 'http.request.method': 'POST', 'http.route': '/data/v3/{object}' },
        ...{ 'http.response.status_code': 201, 'almanac.correlation_id': trace },
      },
      resource: { 'service.name': 'almanac', 'deployment.environment.name': 'test' },
    })
    expect(named(spans, 'save')).toMatchObject({
      ...{ kind: 1, parentSpanId: request.spanId, isFailed: false },
      attributes: { 'almanac.object': 'invoice', 'almanac.items': 1, 'almanac.client': 'ada' },
    })
    expect(named(spans, 'PUT ledger')).toMatchObject({
      ...{ kind: 3, parentSpanId: request.spanId, isFailed: false },
      attributes: {
        ...{ 'almanac.named_credential': 'ledger', 'http.response.status_code': 204, 'almanac.attempt': 1 },
        'url.template': `http://127.0.0.1:${org.port}/v1/invoices/{number}`,
      },
    })
    for (const { start, end } of spans) {
      expect(end).toBeGreaterThanOrEqual(start)
      expect(Math.abs(Number(start / 1_000_000n) - Date.now())).toBeLessThan(600_000)
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  })

  it('has the batches of a bulk job, and a failed call', async () => {
    org.respond((_request, response) => response.writeHead(400).end())
    const headers = { 'x-correlation-id': uuid }
    const request = { object: 'invoice', operation: 'insert', format: 'csv' }
    const { body: customer } = await org.asks.ada<{ id: string }>('POST', '/data/v3/customer', {
      ...{ name: 'A', country: 'DE' },
    })
    const { body } = await org.asks.ada<{ id: string }>('POST', jobs, request, headers)
    const rows = `number,tax_point,net,customer\nCANARY-9,2022-08-15,100,${customer.id}\n`
    await putPart(org.asks.ada, body.id, 1, rows)
    await org.asks.ada('POST', `${jobs}/${body.id}/close`, { parts: 1 })
    expect((await ended(org.asks.ada, body.id)).state).toBe('completed')
    const spans = await eventually(uuid.replaceAll('-', ''), 'bulk batch', 'PUT ledger')
    expect(named(spans, 'bulk batch')).toMatchObject({
      attributes: { 'almanac.bulk_job': body.id, 'almanac.rows': 1, 'almanac.correlation_id': uuid },
    })
    expect(named(spans, 'PUT ledger')).toMatchObject({
      isFailed: true,
      attributes: { 'http.response.status_code': 400, 'error.type': 'integration.refused' },
    })
  })

  it('of any other correlation id has an id of its own, and a refused save its code', async () => {
    await org.asks.ada('POST', '/data/v3/customer', { name: null }, { 'x-correlation-id': 'c-refused' })
    const isOfIt = ({ attributes }: CollectedSpan): boolean =>
      attributes['almanac.correlation_id'] === 'c-refused'
    await expect.poll(() => collector.spans.filter(isOfIt).length, { timeout: 20_000 }).toBe(2)
    const [first, second] = collector.spans.filter(isOfIt)
    expect(first!.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(second!.traceId).toBe(first!.traceId)
    const save = [first!, second!].find(({ name }) => name === 'save')!
    expect([save.isFailed, save.attributes['error.type']]).toEqual([true, 'record.invalid'])
  })

  it('is sent with the headers of the operator, and contains no value, no secret and no body', () => {
    for (const headers of collector.headers) expect(headers['x-tenant']).toBe('a secret')
    const text = collector.texts.join('\n')
    for (const mark of ['CANARY', 'a-marked-key', 'a secret', '2022-08-15']) expect(text).not.toContain(mark)
  })
})

describe('a collector that fails', () => {
  it('is in the metrics, and holds up neither requests nor the end of the server', async () => {
    const failing = await otlpCollector()
    const test = await runningServer({ otlp: { endpoint: failing.url } })
    try {
      failing.respond((response) => {
        response.writeHead(503).end()
        return true
      })
      for (let at = 0; at < 5; at += 1) expect((await test.plain('GET', '/healthz')).status).toBe(200)
      const metrics = async (): Promise<string> => (await test.plain('GET', '/metrics')).text
      await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^almanac_otlp_failures_total [1-9]/m)
      expect(await metrics()).toMatch(/^almanac_otlp_queue [1-9]\d*$/m)
      failing.respond(() => false)
      await expect
        .poll(metrics, { timeout: 30_000 })
        .toMatch(/^almanac_otlp_spans_total\{outcome="exported"\} [1-9]/m)
      expect(await metrics()).toMatch(/^almanac_otlp_spans_total\{outcome="dropped"\} 0$/m)
      // From now on, it does not answer at all.
      failing.respond(() => true)
      await test.plain('GET', '/healthz')
    } finally {
      await test.close()
      await failing.close()
    }
  })
})

describe('almanac serve', () => {
  async function served(folder: string, endpoint: string, headers: string) {
    const args = ['serve', '--org', folder, '--port', '0', '--otlp-endpoint', endpoint]
    const child = spawn(process.execPath, [bundled('vitest', 'cli'), ...args], {
      env: { ...process.env, OTEL_EXPORTER_OTLP_HEADERS: headers },
    })
    let [out, log] = ['', '']
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
    child.stderr.on('data', (piece: Buffer) => (log += piece.toString()))
    return { child, out: () => out, log: () => log }
  }

  it('reports a failing collector once, without its address and headers, and exports again later', async () => {
    const failing = await otlpCollector()
    failing.respond((response) => {
      response.writeHead(503).end()
      return true
    })
    const { child, out, log } = await served(org.test.dir, failing.url, 'authorization=CANARY-TOKEN')
    try {
      await expect.poll(out, { timeout: 30_000 }).toContain('listening')
      const { listening } = JSON.parse(out()) as { listening: string }
      const get = (): Promise<Response> => fetch(`${listening}/healthz`)
      await get()
      await expect.poll(() => failing.requests(), { timeout: 20_000 }).toBeGreaterThan(1)
      expect(log().match(/spans could not be exported/g)).toHaveLength(1)
      expect(log()).toContain('status 503')
      failing.respond(() => false)
      await expect.poll(() => failing.spans.length, { timeout: 30_000 }).toBeGreaterThan(0)
      expect(failing.headers[0]!.authorization).toBe('CANARY-TOKEN')
      for (const secret of ['CANARY-TOKEN', failing.url]) expect(log() + out()).not.toContain(secret)
    } finally {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await failing.close()
    }
  })

  it.each([
    ['ftp://x', '', '--otlp-endpoint'],
    ['http://u:CANARY-TOKEN@localhost', '', '--otlp-endpoint'],
    ['http://localhost:4318', 'CANARY-TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ])(
    'refuses %s with headers %s before it starts, and repeats no secret',
    async (endpoint, headers, name) => {
      const { child, log } = await served(org.test.dir, endpoint, headers)
      const [code] = (await once(child, 'close')) as [number]
      expect([code, log().includes(name), log().includes('CANARY-TOKEN')]).toEqual([2, true, false])
    },
  )
})
