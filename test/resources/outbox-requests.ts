// The largest requests to the outbox, circuit breakers and named credentials: over calls that no principal may make, so
// that they are dead at once.
import { setTimeout } from 'node:timers/promises'
import type { Make, Scene } from './most-asked.ts'

const credential = 'measured_target'
const longReason = 'x'.repeat(1000)

const components = [
  {
    ...{ type: 'external_credential', key: 'measured_key', label: 'Measured key' },
    body: { scheme: 'api_key', principals: [{ key: 'service', mode: 'named', grantedTo: [] }] },
  },
  {
    ...{ type: 'named_credential', key: credential, label: 'Measured target' },
    body: { url: 'http://127.0.0.1:9', externalCredential: 'measured_key', principal: 'service' },
  },
  {
    ...{ type: 'automation', key: 'call_measured', label: 'Call measured' },
    body: {
      ...{ object: 'customer', phase: 'after_write', when: 'name == "Measured call"' },
      actions: [{ type: 'enqueue', key: 'send', credential, method: 'GET', path: '/' }],
    },
  },
]

type Rows = { rows: { id: string }[] }

async function prepare({ server }: Scene): Promise<void> {
  await server.ask('POST', '/metadata/v3/apply', { components, rationale: 'Measured.' })
}

/** The id of a call that is dead. */
async function aDeadCall(scene: Scene): Promise<string> {
  await prepare(scene)
  const fields = { name: 'Measured call', territory: 'DE' }
  await scene.server.ask('POST', '/data/v3/customer', fields)
  for (;;) {
    const path = `/setup/v3/outbox?state=dead&credential=${credential}`
    const [row] = (await scene.server.ask<Rows>('GET', path)).rows
    if (row !== undefined) return row.id
    await setTimeout(50)
  }
}

async function aCredential(scene: Scene): Promise<{ credential: string }> {
  await prepare(scene)
  return { credential }
}

export const outboxRequests: Record<string, Make> = {
  requeueOutboxRow: async (scene) => ({ at: { id: await aDeadCall(scene) }, body: { acceptRepeat: true } }),
  resolveOutboxRow: async (scene) => ({ at: { id: await aDeadCall(scene) }, body: { reason: longReason } }),
  discardOutboxRow: async (scene) => ({ at: { id: await aDeadCall(scene) }, body: { reason: longReason } }),
  handleOutbox: async (scene) => {
    await aDeadCall(scene)
    return { body: { action: 'resolve', filter: { credential }, reason: longReason } }
  },
  openBreaker: async (scene) => ({ at: await aCredential(scene), body: { reason: longReason } }),
  closeBreaker: async (scene) => ({ at: await aCredential(scene), body: { reason: longReason } }),
  testNamedCredential: async (scene) => ({ at: await aCredential(scene), body: { method: 'GET' } }),
}
