// An org that calls a target with a secret from its vault.
import { enginesOf, type Engines } from '../../../server/compose/engines.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../../server/compose/open-org.ts'

export const user = 'ada'
export const credential = 'target'

const limits = (concurrency: number): object => ({
  ...{ timeoutMs: 10_000, budget: { concurrency, requestsPerMinute: 1_000_000 } },
  circuitBreaker: { failureThreshold: 10_000, windowSec: 5 },
  retry: { attempts: 20, baseMs: 1 },
})

const components = (url: string, concurrency: number): object[] => [
  {
    ...{ type: 'object', key: 'order', label: 'Order' },
    body: { fields: [{ key: 'number', type: 'text', required: true, unique: true }], nameField: 'number' },
  },
  {
    ...{ type: 'automation', key: 'send', label: 'Send' },
    body: {
      ...{ object: 'order', phase: 'after_write', when: 'isNew' },
      actions: [
        {
          ...{ type: 'enqueue', key: 'call', credential, method: 'PUT', path: '/orders/{number}' },
          ...{ pathParams: { number: 'number' }, payload: { number: 'number' } },
        },
      ],
    },
  },
  {
    ...{ type: 'permission_set', key: 'sender', label: 'Sender' },
    body: {
      objects: { order: { create: true, read: true } },
      fields: { 'order.number': { read: true, edit: true } },
    },
  },
  {
    ...{ type: 'external_credential', key: 'key', label: 'Key' },
    body: {
      ...{ scheme: 'api_key', name: 'X-Key' },
      principals: [{ key: 'service', mode: 'named', grantedTo: ['sender'] }],
    },
  },
  {
    ...{ type: 'named_credential', key: credential, label: 'Target' },
    body: { url, externalCredential: 'key', principal: 'service', ...limits(concurrency) },
  },
]

export interface OutgoingOrg {
  org: OpenedOrg
  engines: Engines
  close(): Promise<void>
}

/**
 * @param url of the target
 * @param concurrency how many calls its budget allows at the same time
 */
export async function outgoingOrg(dir: string, url: string, concurrency: number): Promise<OutgoingOrg> {
  await initOrg(dir, { name: 'Bench', environment: 'dev' }).close()
  // As a server opens it: applies and saves run in workers.
  const org = openOrg(dir, { worker: true })
  const engines = enginesOf(org)
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await org.apply({
    source: { kind: 'components', components: components(url, concurrency) },
    actor: 'admin',
  })
  await engines.access.addUser(by, { key: user, name: 'Ada', permissionSets: ['sender'] })
  await engines.credentials.stage(by, { credential: 'key', principal: 'service' }, { key: 'a-secret' })
  return {
    org,
    engines,
    close: async () => {
      await engines.outside().close()
      await org.close()
    },
  }
}
