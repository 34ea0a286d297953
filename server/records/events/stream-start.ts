// Where a stream of a channel begins, from its log.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ChannelId } from '#kernel/events/index.ts'
import type { EventGap } from '#wire/events.ts'
import type { EventLog } from '../../ports/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import {
  formatCursor,
  startAfter,
  startStream,
  type EventStart,
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
  cursor: string
  gap: EventGap | null
}

export interface StartDeps {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  beginEpoch(of: { channel: OpenChannel['id']; epoch: number }): Promise<void>
}

/**
 * Begins an epoch if the cursor shows that the log was replaced by an older copy.
 * @param partition the only one of the stream; null for all
 * @throws AlmanacError `request.malformed`, `event.cursor`
 */
export async function beginStream(
  { read, beginEpoch }: StartDeps,
  open: OpenChannel,
  wanted: EventStart,
  partition: number | null,
): Promise<StreamStart> {
  const { log, started } = await read(async (reader) => {
    const known = await logOf(reader, open)
    return { log: known, started: await startIn(reader, open, known, wanted, partition) }
  })
  const { outdated, position, gap } = started
  const channel = open.id
  if (outdated === null) {
    const { epoch } = log
    return { channel, epoch, position, gap, cursor: formatCursor(log, position) }
  }
  await beginEpoch({ channel, epoch: outdated })
  const begun = await read((reader) => logOf(reader, open))
  return { channel, epoch: begun.epoch, position, gap, cursor: formatCursor(begun, position) }
}

async function startIn(
  reader: Pick<RecordReader, 'eventBefore'>,
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
  if (wanted.kind !== 'time') return startStream(log, wanted, partition)
  const before: number[] = []
  for (const at of log.partitions.keys()) before.push(await reader.eventBefore(id, at, wanted.at))
  return startAfter(log, before, partition)
}
