// Masks our own secrets in a response before anything reads it: a target can echo what it was sent.
import { isUtf8 } from 'node:buffer'
import type { TransportResponse } from '../ports/callout-transport.ts'

type Redact = (text: string) => string

/** Bytes that are not UTF-8 are searched as Latin-1, in which each byte is a character. */
export function redactResponse(response: TransportResponse, redact: Redact): TransportResponse {
  const { status, headers, body } = response
  const encoding = isUtf8(body) ? 'utf8' : 'latin1'
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(encoding)
  // All is searched at once, because hardly any response contains a secret.
  let all = text
  for (const name in headers) all += `\n${headers[name]}`
  if (redact(all) === all) return response
  const redacted = redact(text)
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)])),
    body: redacted === text ? body : Buffer.from(redacted, encoding),
  }
}
