// A platform event as it is written, within the limits of its channel.
import {
  jsonBytes,
  largestField,
  partitionHash,
  type EventChannel,
  type EventField,
} from '#kernel/events/index.ts'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import type { PlatformEvent } from '../../ports/events.ts'
import { eventTooLarge } from '../save/record-errors.ts'

type Circumstances = Omit<PlatformEvent, 'channel' | 'hash' | 'generation' | 'payload'>

/** Ids of the records that a payload refers to, each once. */
export function referredRecords(
  schema: readonly Pick<EventField, 'key' | 'type'>[],
  payload: PlatformEvent['payload'],
): string[] {
  const ids = schema.flatMap(({ key, type }) => {
    const value = payload[key]
    return type === 'reference' && typeof value === 'string' ? [value] : []
  })
  return [...new Set(ids)]
}

/** @throws AlmanacError `limit.event_too_large` */
export function platformEvent(
  { generation, names }: RecordSnapshot,
  { name, maxBytes, source }: EventChannel,
  circumstances: Circumstances,
  payload: PlatformEvent['payload'],
): PlatformEvent {
  const bytes = jsonBytes(payload)
  if (bytes > maxBytes) throw eventTooLarge(name, { bytes, maxBytes, largest: largestField(payload)! })
  const key = source.kind === 'platform' ? source.partitionKey : null
  const hash = partitionHash(key === null ? circumstances.id : (JSON.stringify(payload[key]) ?? 'null'))
  return { ...circumstances, channel: names.channelId(name)!, hash, generation, payload }
}
