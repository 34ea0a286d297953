// The largest requests on deliveries to webhook endpoints: each is dead at once, because its body names no number.
import { setTimeout } from 'node:timers/promises'
import type { Make, Scene } from './most-asked.ts'

const endpoint = 'measured_hook'
const longReason = 'x'.repeat(1000)
const largest = 256 * 1024

const components = [
  {
    ...{ type: 'external_credential', key: 'measured_secret', label: 'Measured secret' },
    body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
  },
  {
    ...{ type: 'automation', key: 'measured_call', label: 'Measured call' },
    body: { phase: 'invocable', params: [{ key: 'id', type: 'number' }], grantedTo: ['administrator'], actions: [] },
  },
  {
    ...{ type: 'webhook_endpoint', key: endpoint, label: 'Measured endpoint' },
    body: {
      ...{ path: '/hooks/measured', runAs: 'admin', dispatch: { automation: 'measured_call' } },
      verification: {
        ...{ scheme: 'hmac_sha256', externalCredential: 'measured_secret' },
        ...{ signatureHeader: 'X-Signature', signedPayload: '{body}' },
      },
    },
  },
]

type Rows = { rows: { id: string }[] }

let number = 0

/** A body of this size that no other request has. */
const bodyOf = (bytes: number): string => {
  number += 1
  const start = `{"id":"${number}","text":"`
  return `${start}${'x'.repeat(Math.max(0, bytes - start.length - 2))}"}`
}

async function prepare({ server }: Scene): Promise<void> {
  await server.ask('POST', '/metadata/v3/apply', { components, rationale: 'Measured.' })
  const at = '/setup/v3/credentials/measured_secret/principals/sender/next'
  await server.ask('PUT', at, { values: { key: 'measured' } })
}

/** The id of a delivery that is dead. */
async function aDeadDelivery(scene: Scene): Promise<string> {
  await prepare(scene)
  await scene.server.ask('POST', `/setup/v3/webhooks/${endpoint}/test`, { body: bodyOf(100) })
  for (;;) {
    const path = `/setup/v3/deliveries?state=dead&endpoint=${endpoint}`
    const [row] = (await scene.server.ask<Rows>('GET', path)).rows
    if (row !== undefined) return row.id
    await setTimeout(50)
  }
}

export const webhookRequests: Record<string, Make> = {
  requeueDelivery: async (scene) => ({ at: { id: await aDeadDelivery(scene) }, body: { acceptRepeat: true } }),
  discardDelivery: async (scene) => ({ at: { id: await aDeadDelivery(scene) }, body: { reason: longReason } }),
  handleDeliveries: async (scene) => {
    await aDeadDelivery(scene)
    return { body: { action: 'discard', filter: { endpoint }, reason: longReason } }
  },
  testWebhook: async (scene) => {
    await prepare(scene)
    return { at: { endpoint }, body: { body: bodyOf(largest) } }
  },
}
