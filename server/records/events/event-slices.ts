// The events of a channel, a slice at a time, in both directions. Those of different partitions are in the order of their
// times, as far as the order within each partition allows.
import type { EventGap, EventJson } from '#wire/events.ts'
import type { EventLog, LoggedEvent } from '../../ports/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import {
  emptyLog,
  formatCursor,
  latestOf,
  markOf,
  passedOver,
  removedBefore,
  type Marks,
  type Position,
} from './event-cursor.ts'
import type { OpenChannel } from './open-channel.ts'
import { shownEvents } from './shown-events.ts'

export interface EventSlice {
  /** Those that the caller can see, each with the cursor after it. */
  events: { event: EventJson; cursor: string }[]
  /** After the last event, shown or not. */
  position: Position
  marks: Marks
  cursor: string
  /** Whether nothing followed when it was read. */
  isAtEnd: boolean
  /** The epoch in which it was read. */
  epoch: number
  /** The number of the newest event of each partition. */
  latest: Position
  /** Events after the position that were removed because of their age before they were read; null in most cases. */
  gap: EventGap | null
}

export interface OlderSlice {
  /** The newest first. The cursor is the one after the event. */
  events: EventSlice['events']
  /** Before the oldest event, shown or not. */
  cursor: string
  /** Whether nothing older is left. */
  isAtEnd: boolean
  /** At the end: the events that were removed. */
  gap: EventGap | null
}

export interface SliceRequest {
  position: Position
  /** At the position; without them, cursors have those of the events that are read. */
  marks?: Marks
  /** The only one that is read; null for all. */
  partition: number | null
  limit: number
}

type Reader = Pick<RecordReader, 'get' | 'history' | 'eventLog' | 'events' | 'olderEvents'>

export async function logOf(
  reader: Pick<RecordReader, 'eventLog'>,
  { channel, id }: OpenChannel,
): Promise<EventLog> {
  return (await reader.eventLog(id)) ?? emptyLog(channel.partitions)
}

export async function readSlice(
  caller: RecordCaller,
  reader: Reader,
  open: OpenChannel,
  { position, marks: before = [], partition, limit }: SliceRequest,
): Promise<EventSlice> {
  const log = await logOf(reader, open)
  const asked = log.partitions.map((_each, at) => position[at] ?? 0)
  const next = log.partitions.map(({ tail }, at) => Math.max(tail, asked[at]!))
  const marks = next.map((number, at) => (number === asked[at] ? (before[at] ?? null) : null))
  const gap = passedOver(asked, next, partition)
  const waiting = [...next.keys()].filter(
    (at) => log.partitions[at]!.head > next[at]! && (partition === null || at === partition),
  )
  const each = Math.max(1, Math.floor(limit / Math.max(1, waiting.length)))
  const queues: EventQueue[] = []
  for (const at of waiting) {
    const found = await reader.events(open.id, { partition: at, after: next[at]!, limit: each })
    if (found.length === 0) [next[at], marks[at]] = [log.partitions[at]!.head, null]
    else queues.push(new EventQueue(at, found, await shownEvents(caller, reader, open, at, found)))
  }
  const events: EventSlice['events'] = []
  for (let queue = nextQueue(queues, isOlder); queue !== undefined; queue = nextQueue(queues, isOlder)) {
    const { sequence, mark, shown } = queue.take()
    next[queue.partition] = sequence
    marks[queue.partition] = mark
    if (shown !== null) events.push({ event: shown, cursor: formatCursor(log, next, marks) })
    if (events.length >= limit) break
  }
  return {
    ...{ events, position: next, marks, cursor: formatCursor(log, next, marks) },
    ...{ epoch: log.epoch, latest: latestOf(log), gap },
    isAtEnd: waiting.every((at) => next[at]! >= log.partitions[at]!.head),
  }
}

/** The events up to a position, from the newest one. */
export async function readOlder(
  caller: RecordCaller,
  reader: Reader,
  open: OpenChannel,
  { position, partition, limit }: SliceRequest,
): Promise<OlderSlice> {
  const log = await logOf(reader, open)
  const next = log.partitions.map(({ head }, at) => Math.min(head, position[at] ?? 0))
  const isLeft = (at: number): boolean => next[at]! > log.partitions[at]!.tail
  const waiting = [...next.keys()].filter((at) => isLeft(at) && (partition === null || at === partition))
  const each = Math.max(1, Math.floor(limit / Math.max(1, waiting.length)))
  const queues: EventQueue[] = []
  for (const at of waiting) {
    const found = await reader.olderEvents(open.id, { partition: at, upTo: next[at]!, limit: each })
    if (found.length === 0) next[at] = log.partitions[at]!.tail
    else queues.push(new EventQueue(at, found, await shownEvents(caller, reader, open, at, found)))
  }
  const events: OlderSlice['events'] = []
  for (let queue = nextQueue(queues, isYounger); queue !== undefined; queue = nextQueue(queues, isYounger)) {
    const cursor = formatCursor(log, next)
    const { sequence, shown } = queue.take()
    next[queue.partition] = sequence - 1
    if (shown !== null) events.push({ event: shown, cursor })
    // What follows in this partition may be younger than what the others have.
    if (events.length >= limit || (queue.isEmpty && isLeft(queue.partition))) break
  }
  const isAtEnd = !waiting.some(isLeft)
  return {
    ...{ events, cursor: formatCursor(log, next), isAtEnd },
    gap: isAtEnd ? removedBefore(log, next, partition) : null,
  }
}

/** Events of one partition that were read, in order. */
class EventQueue {
  readonly partition: number
  readonly #found: readonly LoggedEvent[]
  readonly #shown: readonly (EventJson | null)[]
  #at = 0

  constructor(partition: number, found: readonly LoggedEvent[], shown: readonly (EventJson | null)[]) {
    this.partition = partition
    this.#found = found
    this.#shown = shown
  }

  get isEmpty(): boolean {
    return this.#at >= this.#found.length
  }

  /** Of the next event. */
  get time(): string {
    return this.#found[this.#at]!.at
  }

  take(): { sequence: number; mark: string; shown: EventJson | null } {
    const at = this.#at++
    const event = this.#found[at]!
    return { sequence: event.sequence, mark: markOf(event), shown: this.#shown[at]! }
  }
}

type Order = (a: EventQueue, b: EventQueue) => boolean
/** Events of one instant are in the order of their partitions. */
const isOlder: Order = (a, b) => a.time < b.time
const isYounger: Order = (a, b) => a.time >= b.time

function nextQueue(queues: readonly EventQueue[], isBefore: Order): EventQueue | undefined {
  let first: EventQueue | undefined
  for (const queue of queues)
    if (!queue.isEmpty && (first === undefined || isBefore(queue, first))) first = queue
  return first
}
