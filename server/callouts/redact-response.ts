// Masks our own secrets in a response before anything reads it: a target can echo what it was sent.
import { isUtf8 } from 'node:buffer'
import type { TransportResponse } from '../ports/callout-transport.ts'

export function redactResponse(
  { status, headers, body }: TransportResponse,
  redact: (text: string) => string,
): TransportResponse {
  const entries = Object.entries(headers).map(([name, value]) => [name, redact(value)] as const)
  return { status, headers: Object.fromEntries(entries), body: redactBytes(body, redact) }
}

/** Bytes that are not UTF-8 are searched as Latin-1, in which each byte is a character. */
function redactBytes(body: Uint8Array, redact: (text: string) => string): Uint8Array {
  if (body.length === 0) return body
  const encoding = isUtf8(body) ? 'utf8' : 'latin1'
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(encoding)
  const redacted = redact(text)
  return redacted === text ? body : Buffer.from(redacted, encoding)
}
