// The channels that carry a change, within their limits.
import { capturingChannels, jsonBytes, largestField, type ChannelId } from '#kernel/events/index.ts'
import type { FieldId, RecordSnapshot } from '#kernel/records/index.ts'
import type { RecordChange } from '../../ports/record-change.ts'
import { changePayload } from './change-payload.ts'
import { oncePerView } from './once-per-view.ts'
import { eventTooLarge } from './record-errors.ts'

interface Capture {
  id: ChannelId
  name: string
  maxBytes: number
  /** The key of each field that it carries. */
  fields: ReadonlyMap<FieldId, string>
}

interface ObjectCaptures {
  captures: readonly Capture[]
  /** The ids of all of them: one list, by which changes are compared. */
  all: readonly ChannelId[]
}

const capturesOf = oncePerView((snapshot) => {
  const known = new Map<string, ObjectCaptures | null>()
  return (object: string): ObjectCaptures | null => {
    if (!known.has(object)) known.set(object, findCaptures(snapshot, object))
    return known.get(object)!
  }
})

function findCaptures({ view, names }: RecordSnapshot, object: string): ObjectCaptures | null {
  const ids = names.fieldIds(object)
  const captures = capturingChannels(view, object).flatMap(({ name, maxBytes, source }): Capture[] => {
    const id = names.channelId(name)
    if (id === undefined || source.kind !== 'changes') return []
    const carried = [...ids].filter(([key]) => source.fields?.has(key) ?? true)
    return [{ id, name, maxBytes, fields: new Map(carried.map(([key, field]) => [field, key])) }]
  })
  return captures.length === 0 ? null : { captures, all: captures.map(({ id }) => id) }
}

/**
 * Undefined without one. An update is an event only if a field that the channel carries has changed.
 * @throws AlmanacError `limit.event_too_large`
 */
export function capturedBy(
  snapshot: RecordSnapshot,
  object: string,
  change: RecordChange,
): readonly ChannelId[] | undefined {
  const found = capturesOf(snapshot)(object)
  if (found === null) return undefined
  const isUpdate = change.operation === 'update' || change.operation === 'erase'
  const captures = isUpdate
    ? found.captures.filter(({ fields }) => change.fields.some(({ field }) => fields.has(field)))
    : found.captures
  if (captures.length === 0) return undefined
  const most = mostBytes(change)
  for (const capture of captures) if (most > capture.maxBytes) requireSmallEnough(capture, object, change)
  return captures.length === found.all.length ? found.all : captures.map(({ id }) => id)
}

/** Not less than the bytes of the event: a character takes at most six as JSON, and no key has more than 100. */
function mostBytes({ fields }: RecordChange): number {
  let characters = 200
  for (const { before, after } of fields) characters += 200 + lengthOf(before) + lengthOf(after)
  return characters * 6
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 20)

function requireSmallEnough({ name, maxBytes, fields }: Capture, object: string, change: RecordChange): void {
  const payload = changePayload(object, change, (field) => {
    const key = fields.get(field)
    return key === undefined ? undefined : { names: [key], isReadable: true }
  })
  const bytes = jsonBytes(payload)
  if (bytes <= maxBytes) return
  const values = Object.fromEntries(
    Object.keys(payload.changed).map((key) => [key, [payload.changed[key], payload.prior[key]]]),
  )
  throw eventTooLarge(name, { bytes, maxBytes, largest: largestField(values)! })
}
