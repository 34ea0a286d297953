// Cursors: how far a consumer is in each partition of a channel, and where a stream goes on from there.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { EventGap } from '#wire/events.ts'
import type { EventLog, LogEpoch, LoggedEvent } from '../../ports/events.ts'

/** The number of the last event that was received, by partition. */
export type Position = readonly number[]

/** Where a stream begins. */
export type EventStart =
  | { kind: 'latest' }
  | { kind: 'earliest' }
  /** With the event of this number, in one partition. */
  | { kind: 'sequence'; sequence: number }
  /** With the first event of an instant or later; an ISO 8601 instant in UTC. */
  | { kind: 'time'; at: string }
  | { kind: 'cursor'; cursor: string }

export interface StartedStream {
  position: Position
  gap: EventGap | null
  /** The epoch after which a new one must begin, because the log is older than the cursor; null if none must. */
  outdated: number | null
}

/** The mark of the event at a position, by partition; null where it is not known. */
export type Marks = readonly (string | null)[]

/** The random end of its id: an event of the same number in a log that was restored and has grown again has another. */
export const markOf = ({ id }: Pick<LoggedEvent, 'id'>): string => id.slice(-6)

/** `<log>.<epoch>.<partition>:<number>~<mark>,…`, without the marks that are not known. */
export function formatCursor(
  { tag, epoch }: Pick<EventLog, 'tag' | 'epoch'>,
  position: Position,
  marks: Marks = [],
): string {
  const places = position.map((number, partition) => {
    const mark = marks[partition] ?? null
    return `${partition}:${number}${mark === null ? '' : `~${mark}`}`
  })
  return `${tag}.${epoch}.${places.join(',')}`
}

const place = String.raw`\d{1,2}:\d{1,15}(?:~[0-9a-f]{6})?`
const shape = new RegExp(String.raw`^(?:([\w-]{1,20})\.(\d{1,9})\.)?(${place}(?:,${place}){0,63})$`)

interface ParsedCursor {
  /** Null for a cursor of this log and epoch, as a person writes it. */
  of: { tag: string; epoch: number } | null
  numbers: Map<number, number>
  marks: Map<number, string>
}

function parseCursor(text: string): ParsedCursor {
  const found = shape.exec(text)
  if (found === null)
    throw new AlmanacError(
      'request.malformed',
      'The cursor is not one that an event or a page of events has had, as in "0:12,1:40".',
    )
  const [, tag, epoch, places] = found
  const numbers = new Map<number, number>()
  const marks = new Map<number, string>()
  for (const each of places!.split(',')) {
    const [at, number, mark] = each.split(/[:~]/) as [string, string, string?]
    numbers.set(Number(at), Number(number))
    if (mark === undefined) marks.delete(Number(at))
    else marks.set(Number(at), mark)
  }
  return { of: tag === undefined ? null : { tag, epoch: Number(epoch) }, numbers, marks }
}

/**
 * The partitions in which a different event has the number of the cursor: the log was restored from a copy, and has
 * grown past the cursor.
 * @param idAt the id of the event with a number; null if it is not retained
 * @throws AlmanacError `request.malformed`
 */
export async function replacedPartitions(
  log: EventLog,
  cursor: string,
  idAt: (partition: number, number: number) => Promise<string | null>,
): Promise<ReadonlySet<number>> {
  const { of, numbers, marks } = parseCursor(cursor)
  const replaced = new Set<number>()
  if (of?.tag !== log.tag) return replaced
  for (const [at, mark] of marks) {
    const number = numbers.get(at)!
    const partition = log.partitions[at]
    if (partition === undefined || number <= partition.tail || number > partition.head) continue
    const id = await idAt(at, number)
    if (id !== null && markOf({ id }) !== mark) replaced.add(at)
  }
  return replaced
}

/** The first position of which every later event is retained and of the current partitions. */
export function earliestOf(log: EventLog): Position {
  const starts = lastRepartition(log)?.starts ?? []
  return log.partitions.map(({ tail }, partition) => Math.max(tail, starts[partition] ?? 0))
}

export const latestOf = ({ partitions }: EventLog): Position => partitions.map(({ head }) => head)

const lastRepartition = ({ epochs }: EventLog): LogEpoch | undefined =>
  epochs.findLast(({ reason }) => reason === 'partitions')

/**
 * @param partition the only one of the stream; null for all
 * @param replaced see `replacedPartitions`
 * @throws AlmanacError `request.malformed`, `event.cursor`
 */
export function startStream(
  log: EventLog,
  start: Exclude<EventStart, { kind: 'time' }>,
  partition: number | null,
  replaced: ReadonlySet<number> = new Set(),
): StartedStream {
  const isTold = (at: number): boolean => partition === null || at === partition
  switch (start.kind) {
    case 'latest':
      return { position: latestOf(log), gap: null, outdated: null }
    case 'earliest':
      return startAfter(log, earliestOf(log), partition)
    case 'sequence': {
      const asked = log.partitions.map(({ head }, at) => (at === partition ? start.sequence - 1 : head))
      return settled(log, asked, isTold, 'ahead')
    }
    case 'cursor':
      return startAtCursor(log, parseCursor(start.cursor), isTold, replaced)
  }
}

/**
 * A stream that begins after the last event that does not belong to it.
 * @param wanted by partition: where the retained events end that are older than it
 */
export function startAfter(log: EventLog, wanted: Position, partition: number | null): StartedStream {
  const position = earliestOf(log).map((earliest, at) => Math.max(earliest, wanted[at] ?? 0))
  return { position, gap: removedBefore(log, position, partition), outdated: null }
}

/** The events between two positions, which were removed because of their age. */
export function passedOver(asked: Position, kept: Position, partition: number | null): EventGap | null {
  const partitions = kept.flatMap((number, at) =>
    number === asked[at] || (partition !== null && at !== partition)
      ? []
      : [{ partition: at, asked: String(asked[at]), resumesAfter: String(number) }],
  )
  return partitions.length === 0 ? null : { reason: 'retention', partitions }
}

/** The events that were removed because of their age, if a position is at the beginning of what is left. */
export function removedBefore(log: EventLog, position: Position, partition: number | null): EventGap | null {
  const earliest = earliestOf(log)
  const removed = log.partitions.flatMap(({ tail }, at) =>
    tail === 0 || position[at]! > earliest[at]! || (partition !== null && at !== partition)
      ? []
      : [{ partition: at, asked: '0', resumesAfter: String(position[at]) }],
  )
  return removed.length === 0 ? null : { reason: 'retention', partitions: removed }
}

function startAtCursor(
  log: EventLog,
  { of, numbers }: ParsedCursor,
  isTold: (partition: number) => boolean,
  replaced: ReadonlySet<number>,
): StartedStream {
  const isBeforeAll = of?.tag === emptyTag && [...numbers.values()].every((number) => number === 0)
  if (of !== null && of.tag !== log.tag && !isBeforeAll)
    throw new AlmanacError(
      'event.cursor',
      'The cursor is one of another channel or another org. Use one of this channel, or start from "earliest" or "latest".',
    )
  const epoch = of?.epoch ?? log.epoch
  if (epoch > log.epoch + mostEpochs)
    throw new AlmanacError('request.malformed', 'The cursor has an epoch that this channel cannot have had.')
  // Of this log and of the one that it replaced: an epoch of either is never begun again.
  const latest = Math.max(log.epoch, epoch)
  const later = log.epochs.filter((each) => each.epoch > epoch)
  const repartition = later.findLast(({ reason }) => reason === 'partitions')
  if (repartition !== undefined) {
    const position = earliestOf(log)
    const partitions = position.flatMap((number, at) =>
      isTold(at)
        ? [{ partition: at, asked: String(numbers.get(at) ?? 0), resumesAfter: String(number) }]
        : [],
    )
    return { position, gap: { reason: 'partitions', partitions }, outdated: null }
  }
  // The channel can have had more partitions before its first event: nothing is lost with those.
  const extra = isBeforeAll ? undefined : [...numbers.keys()].find((at) => at >= log.partitions.length)
  if (extra !== undefined)
    throw new AlmanacError(
      'request.malformed',
      `The cursor names partition ${extra}, but the channel has ${log.partitions.length}.`,
    )
  const asked = log.partitions.map((_each, at) => numbers.get(at) ?? 0)
  // What was numbered after the copy was made is not in the log, and its numbers belong to other events.
  const known = asked.map((number, at) =>
    // Where the logs have parted is not known, so that all events are read again that are left.
    replaced.has(at) ? 0 : later.reduce((least, { starts }) => Math.min(least, starts[at] ?? 0), number),
  )
  if (known.some((number, at) => number < asked[at]!)) {
    const isUnknown = replaced.size > 0 && later.length === 0
    return { ...gapFrom(log, asked, known, isTold, 'restored'), outdated: isUnknown ? latest : null }
  }
  const isAhead = epoch > log.epoch || asked.some((number, at) => number > log.partitions[at]!.head)
  // What a person writes shows nothing about the log.
  const isEvidence = isAhead && of !== null
  const started = settled(log, asked, isTold, isEvidence ? 'restored' : 'ahead')
  return { ...started, outdated: isEvidence ? latest : null }
}

/** Of a channel that never had an event, whose log begins with the first one. */
const emptyTag = '-'

export const emptyLog = (partitions: number): EventLog => ({
  tag: emptyTag,
  epoch: 0,
  partitions: Array.from({ length: partitions }, () => ({ head: 0, tail: 0 })),
  epochs: [],
})

/** Epochs that a log can have lost since a cursor was made. */
const mostEpochs = 1000

/** A position within the log. */
function settled(
  log: EventLog,
  asked: Position,
  isTold: (partition: number) => boolean,
  ifAhead: EventGap['reason'],
): StartedStream {
  const kept = log.partitions.map(({ head }, at) => Math.min(asked[at]!, head))
  if (kept.some((number, at) => number < asked[at]! && isTold(at)))
    return { ...gapFrom(log, asked, kept, isTold, ifAhead), outdated: null }
  return { ...gapFrom(log, asked, asked, isTold, 'retention'), outdated: null }
}

function gapFrom(
  { partitions: all }: EventLog,
  asked: Position,
  known: Position,
  isTold: (partition: number) => boolean,
  reason: EventGap['reason'],
): Pick<StartedStream, 'position' | 'gap'> {
  const position = all.map(({ head, tail }, at) => Math.max(tail, Math.min(head, known[at]!)))
  const partitions = position.flatMap((number, at) =>
    number === asked[at] || !isTold(at)
      ? []
      : [{ partition: at, asked: String(asked[at]), resumesAfter: String(number) }],
  )
  return { position, gap: partitions.length === 0 ? null : { reason, partitions } }
}
