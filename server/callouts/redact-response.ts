// Masks our own secrets in a response before anything reads it: a target can echo what it was sent.
import { isUtf8 } from 'node:buffer'
import type { TransportResponse } from '../ports/callout-transport.ts'

type Redact = (text: string) => string

export function redactResponse(response: TransportResponse, redact: Redact): TransportResponse {
  const headers = redactHeaders(response.headers, redact)
  const body = redactBytes(response.body, redact)
  return { status: response.status, headers, body }
}

/** Searches all values at once, because hardly any response contains a secret. */
function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: Redact,
): Readonly<Record<string, string>> {
  let all = ''
  for (const name in headers) all += `${headers[name]}\n`
  if (redact(all) === all) return headers
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))
}

/** Bytes that are not UTF-8 are searched as Latin-1, in which each byte is a character. */
function redactBytes(body: Uint8Array, redact: Redact): Uint8Array {
  if (body.length === 0) return body
  const encoding = isUtf8(body) ? 'utf8' : 'latin1'
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(encoding)
  const redacted = redact(text)
  return redacted === text ? body : Buffer.from(redacted, encoding)
}
