// Signs what a case of the table sends, with code of its own.
import { createHmac } from 'node:crypto'
import { webhookPresets } from '../../server/kernel/components/webhook-endpoint/presets.ts'
import type { Preset, WebhookCase } from './webhooks.table.ts'

/** By kind; `whsec` is how Standard Webhooks writes the same bytes. */
export const webhookSecrets = {
  current: 'current-secret-current-secret-32',
  next: 'next-secret-next-secret-next-032',
  prior: 'prior-secret-prior-secret-prior-3',
  expired: 'expired-secret-expired-secret-32',
  other: 'other-secret-other-secret-other-',
} as const

export const secretText = (preset: Preset, kind: keyof typeof webhookSecrets): string =>
  preset === 'standard_webhooks'
    ? `whsec_${Buffer.from(webhookSecrets[kind]).toString('base64')}`
    : webhookSecrets[kind]

interface Form {
  headers: { signature: string; time?: string; id?: string }
  payload(time: string, id: string, body: string): string
  write(signed: { hex: string; base64: string; time: string }): string
}

const forms: Record<Preset, Form> = {
  github: {
    headers: { signature: 'X-Hub-Signature-256', id: 'X-GitHub-Delivery' },
    payload: (_time, _id, body) => body,
    write: ({ hex }) => `sha256=${hex}`,
  },
  stripe: {
    headers: { signature: 'Stripe-Signature' },
    payload: (time, _id, body) => `${time}.${body}`,
    write: ({ hex, time }) => `t=${time},v1=${hex}`,
  },
  standard_webhooks: {
    headers: { signature: 'webhook-signature', time: 'webhook-timestamp', id: 'webhook-id' },
    payload: (time, id, body) => `${id}.${time}.${body}`,
    write: ({ base64 }) => `v1,${base64}`,
  },
  slack: {
    headers: { signature: 'X-Slack-Signature', time: 'X-Slack-Request-Timestamp' },
    payload: (time, _id, body) => `v0:${time}:${body}`,
    write: ({ hex }) => `v0=${hex}`,
  },
  plain: {
    headers: { signature: 'X-Signature' },
    payload: (_time, _id, body) => body,
    write: ({ hex }) => hex,
  },
}

/** The verification and dedupe of the endpoint of a preset. */
export function presetBody(preset: Preset): { verification: object; dedupe?: object } {
  if (preset === 'plain')
    return {
      verification: { scheme: 'hmac_sha256', signatureHeader: 'X-Signature', signedPayload: '{body}' },
    }
  const found = webhookPresets.find(({ key }) => key === preset)
  if (found === undefined) throw new Error(`The preset ${preset} does not exist.`)
  return found.values as unknown as { verification: object; dedupe: object }
}

/** @param now seconds since 1970 */
export function signedRequest(
  each: WebhookCase,
  now: number,
  newId: string,
): { headers: Record<string, string>; body: string } {
  const { preset, body = '{"id":"1"}', at = 0, secret = 'current', without = [] } = each
  const form = forms[preset]
  const time = each.timeText ?? String(now + at)
  const payload = form.payload(time, newId, body)
  const digest = createHmac('sha256', webhookSecrets[secret]).update(payload).digest()
  const signed = { hex: digest.toString('hex'), base64: digest.toString('base64'), time }
  const written = (each.signature ?? form.write)(signed)
  const { headers } = form
  const sentTime = each.sentTime === 'now' ? String(now) : (each.sentTime ?? time)
  return {
    headers: {
      ...(!without.includes('signature') && { [headers.signature]: written }),
      ...(headers.time !== undefined && !without.includes('time') && { [headers.time]: sentTime }),
      ...(headers.id !== undefined && !without.includes('id') && { [headers.id]: each.sentId ?? newId }),
    },
    body: each.sentBody ?? body,
  }
}
