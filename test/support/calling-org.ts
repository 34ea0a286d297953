// A running server whose saves call a target on this machine: the target records what it receives, and each test decides how it
// responds.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import type { OutboxRowView } from '../../server/wire/outbox.ts'
import { apply, billingComponents, clerk, signIn } from './billing-org.ts'
import { runningServer, type Ask, type TestServer } from './running-server.ts'

export interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: unknown
}

export type Answer = (request: Received, response: ServerResponse) => void

export interface CallingOrg {
  test: TestServer
  /** Where the target listens. */
  port: number
  received: Received[]
  /** Sets how the target responds from now on, and forgets what it received. */
  respond(answer: Answer): void
  /** Ada saves invoices; ops has operations.manage; eve has both. */
  asks: Record<'ada' | 'ops' | 'eve', Ask>
  /** Saves an invoice as ada. Returns its id. */
  save(values?: object, headers?: Record<string, string>): Promise<string>
  rowsOf(id: string): Promise<OutboxRowView[]>
  /** The first row of an invoice once it is dead. */
  dead(id: string): Promise<OutboxRowView>
  close(): Promise<void>
}

export const ledgerCredential = (port: number, more: object = {}) => ({
  ...{ type: 'named_credential', key: 'ledger', label: 'Ledger' },
  body: {
    ...{ url: `http://127.0.0.1:${port}/v1`, externalCredential: 'ledger_key', principal: 'service' },
    ...{ timeoutMs: 2000, retry: { attempts: 2, baseMs: 1, jitter: false } },
    ...{ circuitBreaker: { failureThreshold: 1000 }, ...more },
  },
})

export const ledgerKey = (grantedTo: string[]) => ({
  ...{ type: 'external_credential', key: 'ledger_key', label: 'Key' },
  body: {
    scheme: 'api_key',
    name: 'X-Key',
    principals: [{ key: 'service', mode: 'named', grantedTo }],
  },
})

export const reportAutomation = (more: object = {}) => ({
  ...{ type: 'automation', key: 'report', label: 'Report' },
  body: {
    ...{ object: 'invoice', phase: 'after_write', when: 'present(net)' },
    actions: [
      {
        ...{ type: 'enqueue', key: 'send', credential: 'ledger', method: 'PUT' },
        path: '/invoices/{number}',
        pathParams: { number: 'number' },
        payload: { '/sum/net': 'net', '/sum/tax': 'tax', state: 'state', note: 'secret' },
        ...more,
      },
    ],
  },
})

export async function callingOrg(options: Parameters<typeof runningServer>[0] = {}): Promise<CallingOrg> {
  let answer: Answer = (_request, response) => response.writeHead(204).end()
  const received: Received[] = []
  const target = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      const { method = '', url = '', headers } = request
      const entry = { method, url, headers, body: text === '' ? null : (JSON.parse(text) as unknown) }
      received.push(entry)
      answer(entry, response)
    })
  })
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready))
  const { port } = target.address() as AddressInfo
  const test = await runningServer(options)
  const bodies = billing()
  const invoice = bodies['object/invoice'] as { fields: object[] }
  invoice.fields.push({ key: 'secret', type: 'text', sensitive: true })
  await apply(test.studio, [
    ...billingComponents(bodies),
    clerk(bodies),
    { type: 'permission_set', key: 'ops', label: 'Ops', body: { systemPermissions: ['operations.manage'] } },
    ...[ledgerKey(['clerk']), ledgerCredential(port), reportAutomation()],
  ])
  const asks = (await signIn(test, [
    { key: 'ada', permissionSets: ['clerk'] },
    { key: 'ops', permissionSets: ['ops'] },
    { key: 'eve', permissionSets: ['clerk', 'ops'] },
  ])) as CallingOrg['asks']
  const path = '/setup/v3/credentials/ledger_key/principals/service/next'
  const written = await test.studio('PUT', path, { values: { key: 'a-marked-key' } })
  expect(written.status).toBe(204)
  let made = 0
  const rowsOf = async (id: string): Promise<OutboxRowView[]> =>
    (await asks.ops<{ rows: OutboxRowView[] }>('GET', `/setup/v3/outbox?record=invoice/${id}`)).body.rows
  return {
    ...{ test, port, received, asks, rowsOf },
    respond: (next) => {
      received.length = 0
      answer = next
    },
    save: async (values = {}, headers = {}) => {
      const customer = { name: 'A', country: 'DE' }
      const { body: buyer } = await asks.ada<{ id: string }>('POST', '/data/v3/customer', customer)
      const fields = { number: `V-${(made += 1)}`, customer: buyer.id, tax_point: '2022-08-15', net: '100' }
      const saved = await asks.ada<{ id: string }>(
        'POST',
        '/data/v3/invoice',
        { ...fields, ...values },
        headers,
      )
      expect(saved.status).toBe(201)
      return saved.body.id
    },
    dead: async (id) => {
      await expect.poll(async () => (await rowsOf(id))[0]?.state, { timeout: 10_000 }).toBe('dead')
      return (await rowsOf(id))[0]!
    },
    close: async () => {
      await test.close()
      target.close()
    },
  }
}
