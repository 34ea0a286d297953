// Where a stream of a channel begins, from its log.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ChannelId } from '#kernel/events/index.ts'
import type { EventGap } from '#wire/events.ts'
import type { EventLog } from '../../ports/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import {
  formatCursor,
  markOf,
  replacedPartitions,
  startAfter,
  startStream,
  type EventStart,
  type Marks,
  type Position,
  type StartedStream,
} from './event-cursor.ts'
import { logOf } from './event-slices.ts'
import type { OpenChannel } from './open-channel.ts'

export interface StreamStart {
  channel: ChannelId
  /** 0 before the first event. */
  epoch: number
  position: Position
  marks: Marks
  cursor: string
  gap: EventGap | null
}

export interface StartDeps {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  beginEpoch(of: { channel: OpenChannel['id']; epoch: number }): Promise<void>
  /**
   * The channels of which an epoch was begun since the records were opened. One is enough: a log is replaced only while it is
   * closed. Any reader can invent a cursor that is ahead of the log, and each epoch ends the streams of all others.
   */
  begun: Set<ChannelId>
}

/**
 * Begins an epoch if the cursor shows that the log was replaced by an older copy.
 * @param partition the only one of the stream; null for all
 * @throws AlmanacError `request.malformed`, `event.cursor`
 */
export async function beginStream(
  { read, beginEpoch, begun }: StartDeps,
  open: OpenChannel,
  wanted: EventStart,
  partition: number | null,
): Promise<StreamStart> {
  const { log, started, marks } = await read(async (reader) => {
    const known = await logOf(reader, open)
    const idAt = eventIds(reader, open.id)
    const found = await startIn({ reader, idAt }, open, known, wanted, partition)
    return { log: known, started: found, marks: await marksAt(idAt, known, found.position) }
  })
  const { outdated, position, gap } = started
  const channel = open.id
  if (outdated === null || begun.has(channel)) {
    const { epoch } = log
    return { channel, epoch, position, marks, gap, cursor: formatCursor(log, position, marks) }
  }
  begun.add(channel)
  try {
    await beginEpoch({ channel, epoch: outdated })
  } catch (error) {
    begun.delete(channel)
    throw error
  }
  const next = await read((reader) => logOf(reader, open))
  const cursor = formatCursor(next, position, marks)
  return { channel, epoch: next.epoch, position, marks, gap, cursor }
}

/** The id of the event with a number; null if it is not retained. */
type IdAt = (partition: number, number: number) => Promise<string | null>

/** Each event is read once: most cursors go on where they are. */
export function eventIds(reader: Pick<RecordReader, 'events'>, channel: ChannelId): IdAt {
  const known = new Map<string, Promise<string | null>>()
  const read: IdAt = async (partition, number) => {
    const [event] = await reader.events(channel, { partition, after: number - 1, limit: 1 })
    return event?.sequence === number ? event.id : null
  }
  return (partition, number) => {
    const place = `${partition}:${number}`
    const id = known.get(place) ?? read(partition, number)
    known.set(place, id)
    return id
  }
}

export async function marksAt(idAt: IdAt, { partitions }: EventLog, position: Position): Promise<Marks> {
  const marks: (string | null)[] = []
  for (const [at, { tail }] of partitions.entries()) {
    const number = position[at] ?? 0
    const id = number > tail ? await idAt(at, number) : null
    marks.push(id === null ? null : markOf({ id }))
  }
  return marks
}

async function startIn(
  { reader, idAt }: { reader: Pick<RecordReader, 'eventBefore'>; idAt: IdAt },
  { id, channel }: OpenChannel,
  log: EventLog,
  wanted: EventStart,
  partition: number | null,
): Promise<StartedStream> {
  const many = log.partitions.length
  if (partition !== null && partition >= many)
    throw new AlmanacError(
      'request.malformed',
      `${channel.name} has ${many} partitions, from 0 to ${many - 1}, and no partition ${partition}.`,
    )
  if (wanted.kind === 'cursor') {
    const replaced = await replacedPartitions(log, wanted.cursor, idAt)
    return startStream(log, wanted, partition, replaced)
  }
  if (wanted.kind !== 'time') return startStream(log, wanted, partition)
  const before: number[] = []
  for (const at of log.partitions.keys()) before.push(await reader.eventBefore(id, at, wanted.at))
  return startAfter(log, before, partition)
}
