// The body of a delivery as JSON. It is read only after it was verified, and its numbers are as exact as they were sent.
import { isStructural, jsonTextIssueMessage, scanJson } from '../components/scan-json.ts'
import { pointer } from '../components/pointer.ts'
import { payloadSteps } from '../components/payload-steps.ts'
import type { JsonValue } from '../change/canonical.ts'
import { decodeStrictUtf8 } from '../evidence/strict-utf8.ts'
import { parseExactJson, type ExactJson } from '../service-values/exact-json.ts'

export type DeliveredBody = ExactJson

export type BodyReading = { ok: true; body: DeliveredBody } | { ok: false; message: string }

/** A message is a sentence for operators; it repeats no value of the body. */
export function readDeliveredBody(bytes: Uint8Array): BodyReading {
  const text = decodeStrictUtf8(bytes)?.replace(/^\ufeff/, '')
  if (text === undefined) return { ok: false, message: 'The body is not valid UTF-8.' }
  // Exact numbers are kept; JSON.parse would silently take the last of two values.
  const flaw = scanJson(text).find(isStructural)
  if (flaw?.kind === 'depth') return { ok: false, message: 'The body is nested more than 200 levels deep.' }
  if (flaw !== undefined)
    return { ok: false, message: `The body at ${flaw.path}: ${jsonTextIssueMessage(flaw, null)}` }
  try {
    return { ok: true, body: parseExactJson(text) }
  } catch {
    return { ok: false, message: 'The body is not valid JSON.' }
  }
}

/** The pointer of a field or parameter: as the endpoint declares it, otherwise the member of the same name. */
export const placeInBody = (name: string, values: Readonly<Record<string, string>> = {}): string =>
  Object.hasOwn(values, name) ? values[name]! : pointer(name)

/** The value at a JSON pointer; a number that cannot be exact is its numeral. Undefined without a value. */
export function valueAt(body: DeliveredBody, pointer: string): JsonValue | undefined {
  let [container, key]: [object, string] = [body.root, '0']
  let value: JsonValue | undefined = body.value
  for (const step of pointer === '' ? [] : payloadSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    ;[container, key] = [value, step]
    value = (value as Record<string, JsonValue>)[step]
  }
  return typeof value === 'number' ? (body.numeral(container, key) ?? value) : value
}
