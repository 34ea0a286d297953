// The org whose worker is killed: each save of an order leaves six calls, of every kind that counts.
import { enginesOf } from '../../../server/compose/engines.ts'
import { initOrg } from '../../../server/compose/open-org.ts'
import { orgFile } from '../../../server/compose/org-folder.ts'
import { recordsFile } from '../../../server/storage/sqlite/records/records-file.ts'
import Database from 'better-sqlite3'

export interface CallKind {
  credential: keyof typeof credentials
  method: 'GET' | 'PUT' | 'DELETE' | 'POST' | 'PATCH'
  /** Whether the action declares an idempotency key. */
  isKeyed: boolean
}

/** By the key of the action, in the order in which a save leaves them. */
export const kinds: Readonly<Record<string, CallKind>> = {
  read: { credential: 'wide', method: 'GET', isKeyed: false },
  put: { credential: 'wide', method: 'PUT', isKeyed: false },
  keyed: { credential: 'wide', method: 'POST', isKeyed: true },
  once: { credential: 'wide', method: 'POST', isKeyed: false },
  remove: { credential: 'narrow', method: 'DELETE', isKeyed: false },
  patch: { credential: 'narrow', method: 'PATCH', isKeyed: false },
}

export const isRepeatable = ({ method, isKeyed }: CallKind): boolean =>
  isKeyed || (method !== 'POST' && method !== 'PATCH')

/** How long a call can take, in milliseconds. */
export const timeoutMs = 300

/** One that is limited by calls at the same time, and one by requests per minute and by its circuit breaker. */
export const credentials = {
  wide: {
    budget: { concurrency: 12, requestsPerMinute: 100_000 },
    circuitBreaker: { failureThreshold: 10_000 },
    retry: { attempts: 6, baseMs: 20 },
  },
  narrow: {
    budget: { concurrency: 2, requestsPerMinute: 30 },
    circuitBreaker: { failureThreshold: 6, windowSec: 10, openSec: 1 },
    retry: { attempts: 4, baseMs: 10 },
  },
} as const

const actions = Object.entries(kinds).map(([key, { credential, method, isKeyed }]) => ({
  ...{ type: 'enqueue', key, credential, method, path: `/${key}/{number}/{turn}` },
  pathParams: { number: 'number', turn: 'turn' },
  ...(method === 'GET' || method === 'DELETE' ? {} : { payload: { turn: 'turn' } }),
  ...(isKeyed ? { idempotencyKey: `"key-" + number + "-" + turn` } : {}),
}))

const rights = { create: true, read: true, update: true, viewAll: true, modifyAll: true }
const field = { read: true, edit: true }

const components = (url: string): object[] => [
  {
    ...{ type: 'object', key: 'order', label: 'Order' },
    body: {
      fields: [
        { key: 'number', type: 'text', required: true, unique: true },
        { key: 'turn', type: 'text', required: true },
      ],
      nameField: 'number',
    },
  },
  {
    type: 'automation',
    key: 'send',
    label: 'Send',
    body: { object: 'order', phase: 'after_write', actions },
  },
  {
    ...{ type: 'permission_set', key: 'sender', label: 'Sender' },
    body: { objects: { order: rights }, fields: { 'order.number': field, 'order.turn': field } },
  },
  {
    ...{ type: 'external_credential', key: 'key', label: 'Key' },
    body: {
      ...{ scheme: 'api_key', name: 'X-Key' },
      principals: [{ key: 'service', mode: 'named', grantedTo: ['sender'] }],
    },
  },
  ...Object.entries(credentials).map(([key, body]) => ({
    ...{ type: 'named_credential', key, label: key },
    body: { url, externalCredential: 'key', principal: 'service', timeoutMs, ...body },
  })),
]

/** @param url of the target */
export async function makeOrg(dir: string, url: string): Promise<void> {
  const org = initOrg(dir, { name: 'Outbox', environment: 'test' })
  const engines = enginesOf(org)
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await org.apply({ source: { kind: 'components', components: components(url) }, actor: 'admin' })
  await engines.access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['sender'] })
  await engines.credentials.stage(by, { credential: 'key', principal: 'service' }, { key: 'a-secret' })
  await org.close()
  keepDelivered(dir)
}

/** A delivery removes its row: what was known of its attempts is kept for the check, in the same transaction. */
function keepDelivered(dir: string): void {
  const db = new Database(recordsFile(orgFile(dir)))
  db.exec(`
    CREATE TABLE check_delivered (record TEXT, version INTEGER, action TEXT, attempts INTEGER);
    CREATE TRIGGER check_delivered AFTER DELETE ON record_outbox BEGIN
      INSERT INTO check_delivered (record, version, action, attempts)
      SELECT e.record, e.version, e.action, json_array_length(OLD.body, '$.attempts')
      FROM record_effect e WHERE e.sequence = OLD.sequence;
    END;`)
  db.close()
}
