// A clock that jumps, and what it means for deliveries to webhooks: their age, repeats, and what waits.
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf, type Engines } from '../../server/compose/engines.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { openDeliveries } from '../../server/compose/open-webhooks.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true }
const hour = 3_600_000
const secret = 'a secret of the sender'
const start = Date.parse('2027-01-10T10:00:00Z')

/** The clock of the machine. */
const clock = {
  time: start,
  now: () => new Date(clock.time).toISOString(),
  today: () => clock.now().slice(0, 10),
}

let dir: string
let org: OpenedOrg
let engines: Engines
const open = (): void => {
  org = openOrg(dir, { clock })
  engines = enginesOf(org)
}
const close = async (): Promise<void> => {
  await engines.closeOutside()
  await org.close()
}
beforeEach(async () => {
  clock.time = start
  dir = mkdtempSync(join(tmpdir(), 'almanac-webhook-clocks-'))
  await initOrg(dir, { name: 'Clocks', environment: 'test' }, { clock }).close()
  open()
  const components = [
    {
      ...{ type: 'external_credential', key: 'sender', label: 'Sender' },
      body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
    },
    {
      ...{ type: 'event_channel', key: 'heard', label: 'Heard' },
      body: {
        schema: [{ key: 'id', type: 'text' }],
        ...{ read: { administrator: 'read' }, publish: { administrator: 'publish' } },
      },
    },
    {
      ...{ type: 'webhook_endpoint', key: 'incoming', label: 'Incoming' },
      body: {
        ...{ path: '/hooks/incoming', runAs: 'admin', dispatch: { publishTo: 'heard' } },
        verification: {
          ...{ scheme: 'hmac_sha256', externalCredential: 'sender', signatureHeader: 'X-Signature' },
          ...{ signedPayload: '{timestamp}.{body}', timestampHeader: 'X-Time', toleranceSec: 300 },
        },
        dedupe: { idHeader: 'X-Id', windowHours: 24 },
      },
    },
  ]
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await engines.credentials.stage(by, { credential: 'sender', principal: 'sender' }, { key: secret })
})
afterEach(async () => {
  await close()
  rmSync(dir, { recursive: true, force: true })
})

/** Sends a delivery that was signed at a time. Returns what becomes of it. */
async function deliver(id: string, at: number): Promise<string> {
  const body = Buffer.from(JSON.stringify({ id }))
  const time = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  const headers = { 'x-id': id, 'x-time': time, 'x-signature': signature }
  const endpoint = org.pin().view.get('webhook_endpoint', 'incoming')!
  return engines.webhooks.receiver
    .receive(endpoint, { headers, body, correlationId: id, testedBy: null })
    .then(({ result }) => result)
    .catch((error: unknown) => (error as { code: string }).code)
}

describe('a clock that was ahead and is set back', () => {
  it('lets the age of deliveries be judged by the time of now, as their senders do', async () => {
    expect(await deliver('one', clock.time)).toBe('stored')
    clock.time = start + 30 * hour
    await org.write(() => undefined)
    clock.time = start + 1000
    // The time of the org is never set back.
    expect(Date.parse(org.clock.now())).toBeGreaterThan(start + 29 * hour)
    expect(await deliver('two', clock.time)).toBe('stored')
    expect(await deliver('three', clock.time - 301_000)).toBe('webhook.refused')
    expect(await deliver('four', clock.time + 301_000)).toBe('webhook.refused')
    expect(await deliver('five', Date.parse(org.clock.now()))).toBe('webhook.refused')
    const { testSender } = engines.webhooks
    const endpoint = org.pin().view.get('webhook_endpoint', 'incoming')!
    const tested = await testSender.send(endpoint, {
      body: '{"id":"t"}',
      secret: 'current',
      ageSec: 0,
      correlationId: 'c',
      by: 'admin',
    })
    expect(tested.result).toBe('stored')
    expect(await deliver('two', clock.time)).toBe('repeated')
    await close()
    open()
    expect(await deliver('six', clock.time)).toBe('stored')
  })

  it('does not make deliveries be dispatched twice, or never', async () => {
    expect(await deliver('one', clock.time)).toBe('stored')
    clock.time = start + 30 * hour
    expect(await deliver('two', clock.time)).toBe('stored')
    clock.time = start
    expect(await deliver('three', clock.time)).toBe('stored')
    const worker = openDeliveries(org, { dispatch: engines.records.dispatch, onError: () => undefined })
    const counts = () => org.records.store().read((reader) => reader.countDeliveries({}))
    await expect
      .poll(counts, { timeout: 20_000 })
      .toMatchObject({ dispatched: 3, pending: 0, dispatching: 0 })
    await worker.close()
    const { count } = await org.records.store().read((reader) => reader.waitingEvents())
    expect(count).toBe(3)
  })
})
