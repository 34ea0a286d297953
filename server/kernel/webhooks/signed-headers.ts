// The headers of a delivery as a sender writes them for an endpoint.
import type { WebhookEndpointBody } from '../components/webhook-endpoint/body.ts'
import { headerOfId } from './delivery-id.ts'
import { headerPlace } from './header-place.ts'

export interface SentValues {
  timestamp: string
  id: string
  signature: Uint8Array
}

/** Parts of one header are joined: `t=…,v1=…`. The signature is written in hexadecimal digits, which every endpoint reads. */
export function signedHeaders(
  { verification, dedupe }: Pick<WebhookEndpointBody, 'verification' | 'dedupe'>,
  { timestamp, id, signature }: SentValues,
): Record<string, string> {
  const { timestampHeader, signatureHeader } = verification
  const idHeader = headerOfId(dedupe)
  const hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const sent: [place: string, value: string][] = [
    ...(timestampHeader === undefined ? [] : ([[timestampHeader, timestamp]] as [string, string][])),
    [signatureHeader, hex],
    ...(idHeader === null ? [] : ([[idHeader, id]] as [string, string][])),
  ]
  const headers: Record<string, string> = {}
  for (const [text, value] of sent) {
    const place = headerPlace(text)
    if (place === null) continue
    const written = place.part === null ? value : `${place.part}=${value}`
    const before = headers[place.header]
    headers[place.header] = before === undefined ? written : `${before},${written}`
  }
  return headers
}
