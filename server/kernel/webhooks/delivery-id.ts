// The id of a delivery, by which a repeated one is recognised: from a header, or from the body.
import type { WebhookEndpointBody } from '../components/webhook-endpoint/body.ts'
import { valueAt, type DeliveredBody } from './delivered-body.ts'

type Dedupe = WebhookEndpointBody['dedupe']

const ofBody = 'body:'

/** Null if the id is in the body, or if the endpoint names no id. */
export function headerOfId({ idHeader }: Dedupe): string | null {
  return idHeader === undefined || idHeader.startsWith(ofBody) ? null : idHeader
}

/** The pointer into the body; null if the id is not in the body. */
export function pointerOfId({ idHeader }: Dedupe): string | null {
  return idHeader?.startsWith(ofBody) === true ? idHeader.slice(ofBody.length) : null
}

/** Null if the body has neither text nor a number there. */
export function idInBody(body: DeliveredBody, pointer: string): string | null {
  const found = valueAt(body, pointer)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null
}
