// What callers can ask of events.
import type { RecordSnapshot } from '#kernel/records/index.ts'
import type { ChannelDescription, ChannelView } from '#wire/events.ts'
import type { Actor, AuditFact } from '../../access/index.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventSubscription } from '../../ports/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { CallerOf } from '../caller-of.ts'
import type { PublishCommand, PublishReply } from '../commands/publish-command.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { UsedField } from '../uses/field-uses.ts'
import { usedByChannel } from '../uses/used-fields.ts'
import { channelView, describeChannel } from './channel-views.ts'
import type { EventStart } from './event-cursor.ts'
import { readOlder, readSlice, type EventSlice, type OlderSlice, type SliceRequest } from './event-slices.ts'
import { readableChannel, usableChannel, visibleChannels, type OpenChannel } from './open-channel.ts'
import { beginStream, type StreamStart } from './stream-start.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'

export interface RecordEvents extends Subscriptions {
  channels(from: CallerOf): ChannelView[]
  /** @throws AlmanacError `channel.not_found` */
  channel(from: CallerOf, name: string): Promise<ChannelDescription>
  /** @throws AlmanacError as `runPublish`, `org.busy`, `storage.*` */
  publish(command: PublishCommand): Promise<PublishReply>
  /**
   * Where a stream begins. Begins an epoch if the cursor shows that the log was replaced by an older copy.
   * @throws AlmanacError `channel.not_found`, `access.denied`, `request.malformed`, `event.cursor`
   */
  start(from: CallerOf, channel: string, start: EventStart, partition: number | null): Promise<StreamStart>
  /** @throws AlmanacError `channel.not_found`, `access.denied` */
  next(from: CallerOf, channel: string, request: SliceRequest): Promise<EventSlice>
  /** The events up to a position, backwards. @throws AlmanacError `channel.not_found`, `access.denied` */
  older(from: CallerOf, channel: string, request: SliceRequest): Promise<OlderSlice>
  /** Events that wait for their numbers. */
  waiting(): Promise<{ count: number; oldestAt: string | null }>
}

export interface EventWrites {
  beginEpoch(of: { channel: OpenChannel['id']; epoch: number }): Promise<void>
  putSubscription(subscription: EventSubscription): Promise<void>
  /** Returns whether it was there. */
  removeSubscription(of: { owner: string; name: string }): Promise<boolean>
}

export interface RecordEventsParts {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  callerOf(from: CallerOf): RecordCaller
  publish(command: PublishCommand): Promise<PublishReply>
  /** @param used the same list each time */
  note(from: CallerOf, used: readonly UsedField[]): void
  audit(by: Actor, fact: AuditFact): Promise<void>
  writes: EventWrites
  /** The active generation. */
  active(): RecordSnapshot
  clock: Pick<Clock, 'now'>
}

/** What each channel uses of its object. */
const known = new WeakMap<RecordCaller, Map<string, readonly UsedField[]>>()

export function createRecordEvents(parts: RecordEventsParts): RecordEvents {
  const { read, callerOf, publish, writes } = parts
  const noteUse = (from: CallerOf, caller: RecordCaller, { channel }: OpenChannel): void => {
    const { name, source } = channel
    if (source.kind !== 'changes') return
    let lists = known.get(caller)
    if (lists === undefined) known.set(caller, (lists = new Map()))
    const used = lists.get(name) ?? usedByChannel(caller, source)
    lists.set(name, used)
    parts.note(from, used)
  }
  const opened = (from: CallerOf, name: string): { caller: RecordCaller; open: OpenChannel } => {
    const caller = callerOf(from)
    return { caller, open: readableChannel(caller, name) }
  }
  const begun = new Set<OpenChannel['id']>()
  const start = (open: OpenChannel, wanted: EventStart, partition: number | null): Promise<StreamStart> =>
    beginStream({ read, beginEpoch: (of) => writes.beginEpoch(of), begun }, open, wanted, partition)
  return {
    ...createSubscriptions({ ...parts, start, noteUse }),
    channels: (from) => {
      const caller = callerOf(from)
      return visibleChannels(caller).map((each) => channelView(caller, each))
    },
    channel: (from, name) => {
      const caller = callerOf(from)
      return read((reader) => describeChannel(caller, reader, usableChannel(caller, name)))
    },
    publish,
    start: async (from, name, wanted, partition) => {
      const { caller, open } = opened(from, name)
      noteUse(from, caller, open)
      return start(open, wanted, partition)
    },
    next: (from, name, request) => {
      const { caller, open } = opened(from, name)
      // A stream can be open for longer than the window in which a use counts.
      noteUse(from, caller, open)
      return read((reader) => readSlice(caller, reader, open, request))
    },
    older: (from, name, request) => {
      const { caller, open } = opened(from, name)
      return read((reader) => readOlder(caller, reader, open, request))
    },
    waiting: () => read((reader) => reader.waitingEvents()),
  }
}
