// What callers can ask of events.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import type { EventSubscription } from '../../ports/events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { PublishCommand, PublishReply } from '../commands/publish-command.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { CallerOf } from '../caller-of.ts'
import { usedByFullRead, usedObject } from '../uses/used-fields.ts'
import { listChannels, type ChannelId } from '#kernel/events/index.ts'
import { objectPrograms, type RecordSnapshot } from '#kernel/records/index.ts'
import type { UsedField } from '../uses/field-uses.ts'
import {
  formatCursor,
  latestOf,
  startStream,
  type EventGap,
  type EventStart,
  type Position,
} from './event-cursor.ts'
import { logOf, readSlice, type EventSlice } from './event-slices.ts'
import { readableChannel, visibleChannels, type OpenChannel } from './open-channel.ts'

export interface ChannelView {
  name: string
  kind: 'platform' | 'changes'
  /** The object whose changes it carries. */
  object: string | null
  partitions: number
  retentionDays: number
  mayRead: boolean
  mayPublish: boolean
}

export interface StreamStart {
  channel: ChannelId
  position: Position
  cursor: string
  gap: EventGap | null
}

export interface SubscriptionView {
  name: string
  owner: string
  /** Null if its channel was removed, or the caller cannot read it any more. */
  channel: string | null
  cursor: string
  createdAt: string
  ackedAt: string | null
  /** Events after the cursor, those included that the subscriber cannot see; null without a channel. */
  lag: number | null
  /** When the oldest of them was committed. */
  lagSince: string | null
}

export interface SubscriptionLag {
  name: string
  owner: string
  channel: string
  lag: number
  since: string | null
}

export interface RecordEvents {
  channels(from: CallerOf): ChannelView[]
  /** @throws AlmanacError as `runPublish`, `org.busy`, `storage.*` */
  publish(command: PublishCommand): Promise<PublishReply>
  /**
   * Where a stream begins. Begins an epoch if the cursor shows that the log was replaced by an older copy.
   * @throws AlmanacError `channel.not_found`, `access.denied`, `request.malformed`, `event.cursor`
   */
  start(from: CallerOf, channel: string, start: EventStart, partition: number | null): Promise<StreamStart>
  /** @throws AlmanacError `channel.not_found`, `access.denied` */
  next(from: CallerOf, channel: string, request: SliceRequest): Promise<EventSlice>
  /** Creates a subscription, or moves it. @throws AlmanacError as `start`, `subscription.channel` */
  subscribe(
    from: CallerOf,
    name: string,
    wanted: { channel: string; start: EventStart },
  ): Promise<SubscriptionView>
  /** @throws AlmanacError `subscription.not_found`, `request.malformed`, `event.cursor` */
  ack(from: CallerOf, name: string, cursor: string): Promise<SubscriptionView>
  /** @throws AlmanacError `subscription.not_found` */
  subscription(from: CallerOf, name: string): Promise<SubscriptionView>
  /** Those of the caller; for an operator, of all users. */
  subscriptions(from: CallerOf, of: { isOperator: boolean }): Promise<SubscriptionView[]>
  /** How far all subscriptions are behind, those to removed channels excepted. For operators. */
  lags(): Promise<SubscriptionLag[]>
  /** Events that wait for their numbers. */
  waiting(): Promise<{ count: number; oldestAt: string | null }>
  /** @throws AlmanacError `subscription.not_found` */
  unsubscribe(from: CallerOf, owner: string, name: string): Promise<void>
}

export interface SliceRequest {
  position: Position
  partition: number | null
  limit: number
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
  writes: EventWrites
  /** The active generation. */
  active(): RecordSnapshot
  clock: Pick<Clock, 'now'>
}

export function createRecordEvents(parts: RecordEventsParts): RecordEvents {
  const { read, callerOf, publish, writes, clock } = parts
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
  const start = async (
    open: OpenChannel,
    wanted: EventStart,
    partition: number | null,
  ): Promise<StreamStart> => {
    const log = await read((reader) => logOf(reader, open))
    if (partition !== null && partition >= log.partitions.length)
      throw new AlmanacError(
        'request.malformed',
        `${open.channel.name} has ${log.partitions.length} partitions, from 0 to ${log.partitions.length - 1}, and no partition ${partition}.`,
      )
    const { outdated, position, gap } = startStream(log, wanted, partition)
    const channel = open.id
    if (outdated === null) return { channel, position, gap, cursor: formatCursor(log, position) }
    await writes.beginEpoch({ channel: open.id, epoch: outdated })
    const begun = await read((reader) => logOf(reader, open))
    return { channel, position, gap, cursor: formatCursor(begun, position) }
  }
  const viewOf = async (
    caller: RecordCaller,
    reader: RecordReader,
    { owner, name, cursor, createdAt, ackedAt, channel: id }: EventSubscription,
  ): Promise<SubscriptionView> => {
    const facts = { name, owner, cursor, createdAt, ackedAt }
    const open = visibleChannels(caller).find((each) => each.id === id && each.mayRead)
    if (open === undefined) return { ...facts, channel: null, lag: null, lagSince: null }
    const { lag, since } = await lagOf(reader, open, cursor)
    return { ...facts, channel: open.channel.name, lag, lagSince: since }
  }
  const own = async (
    from: CallerOf,
    reader: RecordReader,
    name: string,
    owner = from.access.user,
  ): Promise<EventSubscription> => {
    const all = await reader.subscriptions({ owner })
    const found = all.find((each) => each.name === name)
    if (found !== undefined) return found
    const message = `The subscription "${truncateInput(name)}" does not exist.`
    throw new AlmanacError('subscription.not_found', message)
  }
  return {
    channels: (from) =>
      visibleChannels(callerOf(from)).map(({ channel, mayRead, mayPublish }) => {
        const { name, partitions, retentionDays, source } = channel
        const object = source.kind === 'changes' ? source.object : null
        return { name, kind: source.kind, object, partitions, retentionDays, mayRead, mayPublish }
      }),
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
    subscribe: async (from, name, wanted) => {
      const { caller, open } = opened(from, wanted.channel)
      noteUse(from, caller, open)
      const owner = from.access.user
      const { cursor } = await start(open, wanted.start, null)
      const known = await read((reader) => reader.subscriptions({ owner }))
      const before = known.find((each) => each.name === name)
      if (before === undefined && known.length >= mostSubscriptions)
        throw new AlmanacError(
          'limit.subscriptions',
          `${owner} has ${known.length} subscriptions, which is the limit. Delete one that is not used any more.`,
        )
      if (before !== undefined && before.channel !== open.id)
        throw new AlmanacError(
          'subscription.channel',
          `The subscription "${name}" follows a different channel. Delete it, or use a different name.`,
        )
      const createdAt = before?.createdAt ?? clock.now()
      const stored = { owner, name, channel: open.id, cursor, createdAt, ackedAt: before?.ackedAt ?? null }
      await writes.putSubscription(stored)
      return read((reader) => viewOf(caller, reader, stored))
    },
    ack: async (from, name, cursor) => {
      const caller = callerOf(from)
      const before = await read((reader) => own(from, reader, name))
      const open = visibleChannels(caller).find((each) => each.id === before.channel && each.mayRead)
      if (open === undefined)
        throw new AlmanacError(
          'channel.not_found',
          `The channel of the subscription "${name}" was removed, or you cannot read it any more.`,
        )
      const started = await start(open, { kind: 'cursor', cursor }, null)
      const stored = { ...before, cursor: started.cursor, ackedAt: clock.now() }
      await writes.putSubscription(stored)
      noteUse(from, caller, open)
      return read((reader) => viewOf(caller, reader, stored))
    },
    subscription: async (from, name) => {
      const caller = callerOf(from)
      return read(async (reader) => viewOf(caller, reader, await own(from, reader, name)))
    },
    subscriptions: (from, { isOperator }) => {
      const caller = callerOf(from)
      return read(async (reader) => {
        const found = await reader.subscriptions(isOperator ? {} : { owner: from.access.user })
        const views: SubscriptionView[] = []
        for (const each of found) views.push(await viewOf(caller, reader, each))
        return views
      })
    },
    lags: () =>
      read(async (reader) => {
        const present = parts.active()
        const channels = new Map(
          listChannels(present.view).flatMap((channel) => {
            const id = present.names.channelId(channel.name)
            return id === undefined ? [] : [[id, { channel, id }] as const]
          }),
        )
        const found: SubscriptionLag[] = []
        for (const { owner, name, channel, cursor } of await reader.subscriptions({})) {
          const open = channels.get(channel)
          if (open === undefined) continue
          found.push({ owner, name, channel: open.channel.name, ...(await lagOf(reader, open, cursor)) })
        }
        return found
      }),
    waiting: () => read((reader) => reader.waitingEvents()),
    unsubscribe: async (from, owner, name) => {
      await read((reader) => own(from, reader, name, owner))
      await writes.removeSubscription({ owner, name })
    },
  }
}

async function lagOf(
  reader: RecordReader,
  open: OpenChannel,
  cursor: string,
): Promise<{ lag: number; since: string | null }> {
  const log = await logOf(reader, open)
  const { position } = startStream(log, { kind: 'cursor', cursor }, null)
  const lag = latestOf(log).reduce((sum, head, at) => sum + head - position[at]!, 0)
  if (lag === 0) return { lag, since: null }
  const times = await Promise.all(position.map((after, at) => reader.eventTime(open.id, at, after)))
  const since = times.reduce(
    (oldest, at) => (oldest === null || (at !== null && at < oldest) ? at : oldest),
    null,
  )
  return { lag, since }
}

/** Of a user. */
const mostSubscriptions = 1000
