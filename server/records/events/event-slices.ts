// The events of a channel, a slice at a time.
import type { EventJson } from '#wire/events.ts'
import type { EventLog } from '../../ports/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { emptyLog, formatCursor, latestOf, type Position } from './event-cursor.ts'
import type { OpenChannel } from './open-channel.ts'
import { shownEvents } from './shown-events.ts'

export interface EventSlice {
  /** Those that the caller can see, each with the cursor after it. */
  events: { event: EventJson; cursor: string }[]
  /** After the last event, shown or not. */
  position: Position
  cursor: string
  /** Whether nothing followed when it was read. */
  isAtEnd: boolean
  /** The epoch in which it was read. */
  epoch: number
  /** The number of the newest event of each partition. */
  latest: Position
}

type Reader = Pick<RecordReader, 'get' | 'history' | 'eventLog' | 'events'>

export async function logOf(
  reader: Pick<RecordReader, 'eventLog'>,
  { channel, id }: OpenChannel,
): Promise<EventLog> {
  return (await reader.eventLog(id)) ?? emptyLog(channel.partitions)
}

/** @param partition the only one that is read; null for all */
export async function readSlice(
  caller: RecordCaller,
  reader: Reader,
  open: OpenChannel,
  { position, partition, limit }: { position: Position; partition: number | null; limit: number },
): Promise<EventSlice> {
  const log = await logOf(reader, open)
  const next = log.partitions.map((_each, at) => position[at] ?? 0)
  const waiting = [...next.keys()].filter(
    (at) => log.partitions[at]!.head > next[at]! && (partition === null || at === partition),
  )
  const events: EventSlice['events'] = []
  const each = Math.max(1, Math.floor(limit / Math.max(1, waiting.length)))
  for (const at of waiting) {
    const found = await reader.events(open.id, { partition: at, after: next[at]!, limit: each })
    const shown = await shownEvents(caller, reader, open, at, found)
    for (const [index, event] of shown.entries()) {
      next[at] = found[index]!.sequence
      if (event !== null) events.push({ event, cursor: formatCursor(log, next) })
    }
    if (found.length === 0) next[at] = log.partitions[at]!.head
  }
  return {
    ...{ events, position: next, cursor: formatCursor(log, next), epoch: log.epoch, latest: latestOf(log) },
    isAtEnd: waiting.every((at) => next[at]! >= log.partitions[at]!.head),
  }
}
