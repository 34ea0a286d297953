// Calls of saves to targets on this machine: one that responds as a test decides, and one that does not listen.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutboxRowView } from '../../../server/wire/outbox.ts'
import type { Studio } from './test.ts'

export interface CallTarget {
  /** The status that it responds with; 204 at first. */
  status: number
  received: number
  port: number
  close(): void
}

export async function startTarget(): Promise<CallTarget> {
  const target = { status: 204, received: 0, port: 0, close: (): void => void server.close() }
  const server: Server = createServer((request, response) => {
    target.received += 1
    request.resume().on('end', () => response.writeHead(target.status).end())
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  target.port = (server.address() as AddressInfo).port
  return target
}

const credential = (key: string, port: number, more: object = {}): object => ({
  ...{ type: 'named_credential', key, label: key === 'bank' ? 'Bank gateway' : 'Ledger' },
  body: {
    ...{ url: `http://127.0.0.1:${port}/v1`, externalCredential: `${key}_key`, principal: 'service' },
    ...{ retry: { attempts: 3, baseMs: 40 }, circuitBreaker: { failureThreshold: 1000 }, ...more },
  },
})

/** Customers whose name begins with Call are reported to `bank`, in one call with each method. */
export async function deployCalls({ call }: Studio, port: number): Promise<void> {
  const keys = ['bank', 'ledger'].map((key) => ({
    ...{ type: 'external_credential', key: `${key}_key`, label: `Key of ${key}` },
    body: {
      scheme: 'api_key',
      principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }],
    },
  }))
  const automation = {
    ...{ type: 'automation', key: 'report_customer', label: 'Report customer' },
    body: {
      ...{ object: 'customer', phase: 'after_write', when: 'name.startsWith("Call")' },
      actions: [
        {
          ...{ type: 'enqueue', key: 'create_payment', credential: 'bank', method: 'PUT' },
          ...{ path: '/customers/{name}', pathParams: { name: 'name' }, payload: { name: 'name' } },
        },
      ],
    },
  }
  const administrator = await call<{ component: { body: object } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const rights = { create: true, read: true, update: true, viewAll: true, modifyAll: true }
  const objects = [
    {
      ...{ type: 'object', key: 'customer', label: 'Customer' },
      body: { nameField: 'name', fields: [{ key: 'name', label: 'Name', type: 'text', required: true }] },
    },
    {
      ...administrator.component,
      body: {
        ...administrator.component.body,
        objects: { customer: rights },
        fields: { 'customer.name': { read: true, edit: true } },
      },
    },
  ]
  const credentials = [credential('bank', port), credential('ledger', 9)]
  const components = [...objects, ...keys, ...credentials, automation]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'Calls' })
  for (const key of ['bank', 'ledger'])
    await call('PUT', `/setup/v3/credentials/${key}_key/principals/service/next`, { values: { key: 'k' } })
}

export const saveCustomer = async ({ call }: Studio, name: string): Promise<string> =>
  (await call<{ id: string }>('POST', '/data/v3/customer', { name })).id

/** Waits until so many calls are in a state. Returns them, the newest first. */
export async function callsIn({ call }: Studio, state: string, count: number): Promise<OutboxRowView[]> {
  for (;;) {
    const { rows } = await call<{ rows: OutboxRowView[] }>('GET', `/setup/v3/outbox?state=${state}`)
    if (rows.length >= count) return rows
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
