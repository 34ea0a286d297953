// What callers can ask of events.
import { objectPrograms, type RecordSnapshot } from '#kernel/records/index.ts'
import type { ChannelDescription, ChannelView } from '#wire/events.ts'
import type { Actor, AuditFact } from '../../access/index.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventSubscription } from '../../ports/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { CallerOf } from '../caller-of.ts'
import type { PublishCommand, PublishReply } from '../commands/publish-command.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { UsedField } from '../uses/field-uses.ts'
import { usedByFullRead, usedObject } from '../uses/used-fields.ts'
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
  removeSubscription(of: { owner: string; name: string }): Promise<void>
}

export interface RecordEventsParts {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  callerOf(from: CallerOf): RecordCaller
  publish(command: PublishCommand): Promise<PublishReply>
  note(from: CallerOf, used: () => readonly UsedField[]): void
  audit(by: Actor, fact: AuditFact): Promise<void>
  writes: EventWrites
  /** The active generation. */
  active(): RecordSnapshot
  clock: Pick<Clock, 'now'>
}

export function createRecordEvents(parts: RecordEventsParts): RecordEvents {
  const { read, callerOf, publish, writes } = parts
  const noteUse = (from: CallerOf, caller: RecordCaller, { channel }: OpenChannel): void => {
    const { source } = channel
    if (source.kind !== 'changes') return
    const programs = objectPrograms(caller.present.view, source.object)
    parts.note(from, () =>
      programs === null
        ? []
        : [...usedObject(caller.present, source.object), ...usedByFullRead(caller, programs)],
    )
  }
  const opened = (from: CallerOf, name: string): { caller: RecordCaller; open: OpenChannel } => {
    const caller = callerOf(from)
    return { caller, open: readableChannel(caller, name) }
  }
  const start = (open: OpenChannel, wanted: EventStart, partition: number | null): Promise<StreamStart> =>
    beginStream({ read, beginEpoch: (of) => writes.beginEpoch(of) }, open, wanted, partition)
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
      return read((reader) => readSlice(caller, reader, open, request))
    },
    older: (from, name, request) => {
      const { caller, open } = opened(from, name)
      return read((reader) => readOlder(caller, reader, open, request))
    },
    waiting: () => read((reader) => reader.waitingEvents()),
  }
}
