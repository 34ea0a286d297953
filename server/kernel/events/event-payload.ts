// Checks the payload of a platform event against the schema of its channel.
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { ObjectField } from '../components/object/body.ts'
import type { ComponentView } from '../components/view.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { FieldValue } from '../components/field-types.ts'
import { parseFieldValue } from '../records/index.ts'
import type { EventField } from './channels.ts'

export type EventPayload = Readonly<Record<string, FieldValue>>

/** Each problem names its field, as a caller names it. */
export interface PayloadProblem {
  field: string
  message: string
}

/** Returns the payload with a value, which can be null, for each field of the schema; or what is wrong with it. */
export function parseEventPayload(
  view: ComponentView,
  schema: readonly EventField[],
  sent: Readonly<Record<string, unknown>>,
): { payload: EventPayload } | { problems: PayloadProblem[] } {
  const payload: Record<string, FieldValue> = {}
  const problems: PayloadProblem[] = []
  for (const field of schema) {
    const value = Object.hasOwn(sent, field.key) ? sent[field.key] : null
    if (value === null && field.required)
      problems.push({ field: field.key, message: `${field.label ?? field.key} is required.` })
    const parsed = parseFieldValue(eventObjectField(field), value, view)
    if (parsed.ok) payload[field.key] = parsed.value
    else problems.push({ field: field.key, message: parsed.message })
  }
  const known = schema.map(({ key }) => key)
  for (const name of Object.keys(sent)) {
    if (known.includes(name)) continue
    const message = `The channel has no field "${name.slice(0, 80)}".${didYouMean(name, known)}`
    problems.push({ field: name, message })
  }
  return problems.length === 0 ? { payload } : { problems }
}

/** The shape that values of records are checked by. */
export const eventObjectField = (field: EventField): ObjectField =>
  ({ ...field, unique: false, sensitive: false }) as ObjectField

/** A channel has at most 64 partitions, so the bits are enough for an even spread. */
export function partitionHash(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  // The lowest bits of this hash spread worse than the upper ones.
  return ((hash >>> 0) ^ (hash >>> 15)) >>> 0
}

/** The field of a payload that takes the most bytes as JSON; null if it has none. */
export function largestField(payload: Readonly<Record<string, unknown>>): {
  field: string
  bytes: number
} | null {
  const sizes = Object.entries(payload).map(([field, value]) => ({ field, bytes: jsonBytes(value) }))
  return sizes.reduce<(typeof sizes)[number] | null>(
    (most, each) => (most === null || each.bytes > most.bytes ? each : most),
    null,
  )
}

/** In UTF-8. */
export const jsonBytes = (value: unknown): number => utf8ToBytes(JSON.stringify(value) ?? '').length
