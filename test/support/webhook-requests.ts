// An org with a webhook endpoint of each preset that writes contacts, and the requests of senders.
import { setTimeout as wait } from 'node:timers/promises'
import type { DeliveryDetailView } from '../../server/wire/deliveries.ts'
import { presetBody, secretText, signedRequest } from '../spec/webhook-ground.ts'
import type { Preset, WebhookCase } from '../spec/webhooks.table.ts'
import { apply } from './billing-org.ts'
import { contactComponents } from './ingest-requests.ts'
import type { Answer, Ask, TestServer } from './running-server.ts'

export const presets: readonly Preset[] = ['github', 'stripe', 'standard_webhooks', 'slack', 'plain']

export const endpointOf = (preset: Preset, more: object = {}, verification: object = {}): object => {
  const form = presetBody(preset)
  return {
    ...{ type: 'webhook_endpoint', key: preset, label: preset },
    body: {
      ...{ path: `/hooks/${preset}`, runAs: 'hooks', dedupe: form.dedupe ?? {} },
      verification: { ...form.verification, externalCredential: `${preset}_secret`, ...verification },
      dispatch: {
        upsert: {
          ...{ object: 'contact', externalId: 'code' },
          values: { code: '/id', name: '/name', amount: '/amount', active: '/active', note: '/note' },
        },
      },
      ...more,
    },
  }
}

const secretOf = (preset: Preset): object => ({
  ...{ type: 'external_credential', key: `${preset}_secret`, label: 'Secret' },
  body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
})

export const secretPath = (preset: Preset): string =>
  `/setup/v3/credentials/${preset}_secret/principals/sender`

/** Writes secrets so that all kinds are there: an expired one, then prior, current and next. */
export async function writeSecrets(studio: Ask, preset: Preset): Promise<void> {
  const at = secretPath(preset)
  const write = async (kind: 'expired' | 'prior' | 'current' | 'next'): Promise<void> => {
    const { status, text } = await studio('PUT', `${at}/next`, { values: { key: secretText(preset, kind) } })
    if (status !== 204) throw new Error(text)
  }
  const promote = async (graceHours: number): Promise<void> => {
    const { status, text } = await studio('POST', `${at}/promote`, { graceHours })
    if (status !== 204) throw new Error(text)
  }
  await write('expired')
  await write('prior')
  await promote(0)
  await write('current')
  await promote(24)
  await write('next')
}

/** Contacts, the user "hooks" who writes them, and the endpoints with their secrets. */
export async function openWebhooks(test: TestServer, of: readonly Preset[] = presets): Promise<void> {
  await apply(test.studio, contactComponents())
  const user = { key: 'hooks', name: 'Hooks', permissionSets: ['loader'] }
  const added = await test.studio('POST', '/setup/v3/users', user)
  if (added.status !== 201) throw new Error(added.text)
  await apply(
    test.studio,
    of.flatMap((preset) => [secretOf(preset), endpointOf(preset)]),
  )
  for (const preset of of) await writeSecrets(test.studio, preset)
}

let number = 0

/** Sends a case as its sender would. */
export function deliver(
  ask: Ask,
  each: Partial<WebhookCase> & { preset: Preset; path?: string },
): Promise<Answer> {
  number += 1
  const now = Math.floor(Date.now() / 1000)
  const { path = `/hooks/${each.preset}` } = each
  const { headers, body } = signedRequest({ name: '', result: 'verified', ...each }, now, `msg_${number}`)
  return ask('POST', path, Buffer.from(body), headers)
}

/** A body with an id of its own. */
export const bodyOf = (values: Record<string, unknown>): string => JSON.stringify(values)

export async function deliveryOf(ops: Ask, id: string): Promise<DeliveryDetailView> {
  const { status, text, body } = await ops<DeliveryDetailView>('GET', `/setup/v3/deliveries/${id}`)
  if (status !== 200) throw new Error(text)
  return body
}

/** The delivery once it is in one of these states. */
export async function settled(
  ops: Ask,
  id: string,
  states: readonly string[] = ['dispatched', 'dead'],
): Promise<DeliveryDetailView> {
  for (let tries = 0; ; tries += 1) {
    const found = await deliveryOf(ops, id)
    if (states.includes(found.state)) return found
    if (tries === 400) throw new Error(`The delivery stays ${found.state}: ${JSON.stringify(found.problem)}`)
    await wait(50)
  }
}
