// Subscriptions: cursors that are stored for a user. Operators see, move and delete those of all users.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import { findChannel, type ChannelId } from '#kernel/events/index.ts'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import type { ReplayView, SubscriptionView } from '#wire/events.ts'
import type { Actor, AuditFact } from '../../access/index.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventLog, EventSubscription } from '../../ports/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { CallerOf } from '../caller-of.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { formatCursor, latestOf, startStream, type EventStart, type Position } from './event-cursor.ts'
import { logOf } from './event-slices.ts'
import { channelsById, readableChannel, visibleChannels, type OpenChannel } from './open-channel.ts'
import { eventIds, marksAt, type StreamStart } from './stream-start.ts'

/** A subscription, as a caller names it. Operators can name that of another user. */
export interface SubscriptionPlace {
  owner: string
  name: string
}

/** Where a subscription goes on. With a partition, only there. */
export interface SubscriptionMove {
  start: EventStart
  partition: number | null
}

export interface SubscriptionFilter {
  owner?: string | undefined
  /** The name of a channel. */
  channel?: string | undefined
  /** Those whose channel was removed, or that others than operators cannot read any more. */
  isRemoved?: boolean | undefined
}

/** Whose subscriptions a caller sees, and which of them. */
interface SubscriptionSelection extends SubscriptionFilter {
  isOperator: boolean
}

interface SubscriptionDeletion {
  filter: SubscriptionSelection
  /** Those that were created later stay. */
  createdUpTo: string
  limit: number
}

export interface SubscriptionPage {
  subscriptions: SubscriptionView[]
  /** Of the filter. */
  total: number
  /** After the last one of the page; null if it is the last page. */
  next: SubscriptionPlace | null
}

export interface SubscriptionLag extends SubscriptionPlace {
  channel: string
  lag: number
  since: string | null
}

export interface Subscriptions {
  /** Creates a subscription, or moves it. @throws AlmanacError as `RecordEvents.start`, `subscription.channel` */
  subscribe(
    from: CallerOf,
    place: SubscriptionPlace,
    wanted: SubscriptionMove & { channel: string },
    by: Actor,
  ): Promise<SubscriptionView>
  /** What a move would do. @throws AlmanacError as `subscribe`, `subscription.not_found` */
  replay(from: CallerOf, place: SubscriptionPlace, wanted: SubscriptionMove): Promise<ReplayView>
  /** @throws AlmanacError `subscription.not_found`, `request.malformed`, `event.cursor` */
  ack(from: CallerOf, name: string, cursor: string): Promise<SubscriptionView>
  /** @throws AlmanacError `subscription.not_found` */
  subscription(from: CallerOf, name: string): Promise<SubscriptionView>
  /** Those of the caller; for an operator, of all users. In the order of owners and names. */
  subscriptions(
    from: CallerOf,
    of: SubscriptionSelection & { after?: SubscriptionPlace | undefined; limit: number },
  ): Promise<SubscriptionPage>
  /** How far all subscriptions are behind, those to removed channels excepted. For operators. */
  lags(): Promise<SubscriptionLag[]>
  /** @throws AlmanacError `subscription.not_found` */
  unsubscribe(from: CallerOf, place: SubscriptionPlace, by: Actor): Promise<void>
  /** Deletes the first ones of a filter. Returns how many it has deleted, and how many are left. */
  unsubscribeAll(
    from: CallerOf,
    wanted: SubscriptionDeletion,
    by: Actor,
  ): Promise<{ deleted: number; left: number }>
}

export interface SubscriptionsParts {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  callerOf(from: CallerOf): RecordCaller
  start(open: OpenChannel, wanted: EventStart, partition: number | null): Promise<StreamStart>
  /** The caller follows a channel. */
  noteUse(from: CallerOf, caller: RecordCaller, open: OpenChannel): void
  writes: {
    putSubscription(subscription: EventSubscription): Promise<void>
    /** Returns whether it was there. */
    removeSubscription(of: { owner: string; name: string }): Promise<boolean>
  }
  audit(by: Actor, fact: AuditFact): Promise<void>
  /** The active generation. */
  active(): RecordSnapshot
  clock: Pick<Clock, 'now'>
}

/** Of a user. */
const mostSubscriptions = 1000

const absent = ({ name }: SubscriptionPlace): AlmanacError =>
  new AlmanacError('subscription.not_found', `The subscription "${truncateInput(name)}" does not exist.`)

type Known = (id: ChannelId) => OpenChannel | undefined

export function createSubscriptions(parts: SubscriptionsParts): Subscriptions {
  const { read, callerOf, start, noteUse, writes, audit, clock } = parts
  const ownChannels = (caller: RecordCaller): Known => {
    const own = new Map(visibleChannels(caller).flatMap((each) => (each.mayRead ? [[each.id, each]] : [])))
    return (id) => own.get(id)
  }
  /** An operator moves cursors and counts, but reads no event, so the channel need not be readable. */
  const channelsOf = (caller: RecordCaller, isOperator: boolean): Known => {
    if (!isOperator) return ownChannels(caller)
    const all = channelsById(caller)
    return (id) => all.get(id)
  }
  const knownChannel = (
    caller: RecordCaller,
    { owner, name }: SubscriptionPlace,
    id: ChannelId,
  ): OpenChannel => {
    const open = channelsOf(caller, owner !== caller.access.user)(id)
    if (open !== undefined) return open
    const who = owner === caller.access.user ? ', or you cannot read it any more' : ''
    throw new AlmanacError(
      'channel.not_found',
      `The channel of the subscription "${name}" was removed${who}.`,
    )
  }
  const find = async (
    reader: Pick<RecordReader, 'subscriptions'>,
    { owner, name }: SubscriptionPlace,
  ): Promise<EventSubscription> => {
    const found = (await reader.subscriptions({ owner })).find((each) => each.name === name)
    if (found !== undefined) return found
    throw absent({ owner, name })
  }
  /** Where a subscription goes on, beginning with where it is. */
  const moved = async (
    open: OpenChannel,
    before: EventSubscription | undefined,
    { start: wanted, partition }: SubscriptionMove,
  ): Promise<StreamStart & { from: Position | null }> => {
    const started = await start(open, wanted, partition)
    if (before === undefined) return { ...started, from: null }
    const log = await read((reader) => logOf(reader, open))
    const from = positionOf(log, before.cursor)
    if (partition === null) return { ...started, from }
    const position = from.map((number, at) => (at === partition ? started.position[at]! : number))
    const marks = await read((reader) => marksAt(eventIds(reader, open.id), log, position))
    return { ...started, from, position, marks, cursor: formatCursor(log, position, marks) }
  }
  const auditOther = async (
    from: CallerOf,
    by: Actor,
    kind: 'subscription.moved' | 'subscription.deleted',
    { before, after }: { before: EventSubscription; after: EventSubscription | null },
  ): Promise<void> => {
    if (before.owner === from.access.user) return
    await audit(by, {
      ...{ component: `subscription/${before.owner}/${before.name}`, kind },
      before: { cursor: before.cursor },
      after: after === null ? null : { cursor: after.cursor },
    })
  }
  const selected = async (
    reader: Pick<RecordReader, 'subscriptions'>,
    channels: Known,
    from: CallerOf,
    { isOperator, owner, channel, isRemoved }: SubscriptionSelection,
  ): Promise<EventSubscription[]> => {
    const of = isOperator ? owner : from.access.user
    const named = channel === undefined ? undefined : nameNow(callerOf(from), channel)
    const all = await reader.subscriptions(of === undefined ? {} : { owner: of })
    return all.filter((each) => {
      if (owner !== undefined && each.owner !== owner) return false
      const open = channels(each.channel)
      if (named !== undefined && open?.channel.name !== named) return false
      return isRemoved === undefined || (open === undefined) === isRemoved
    })
  }
  return {
    subscribe: async (from, place, wanted, by) => {
      const { owner, name } = place
      const caller = callerOf(from)
      const isOther = owner !== from.access.user
      const known = await read((reader) => reader.subscriptions({ owner }))
      const before = known.find((each) => each.name === name)
      // A subscription is created for oneself.
      if (isOther && before === undefined) await read((reader) => find(reader, place))
      const open = isOther
        ? knownChannel(caller, place, before!.channel)
        : readableChannel(caller, wanted.channel)
      if (before === undefined && known.length >= mostSubscriptions)
        throw new AlmanacError(
          'limit.subscriptions',
          `${owner} has ${known.length} subscriptions, which is the limit. Delete one that is not used any more.`,
        )
      if (
        before !== undefined &&
        (before.channel !== open.id || nameNow(caller, wanted.channel) !== open.channel.name)
      )
        throw new AlmanacError(
          'subscription.channel',
          `The subscription "${name}" follows a different channel. Delete it, or use a different name.`,
        )
      if (!isOther) noteUse(from, caller, open)
      const { cursor } = await moved(open, before, wanted)
      const createdAt = before?.createdAt ?? clock.now()
      const stored = { owner, name, channel: open.id, cursor, createdAt, ackedAt: before?.ackedAt ?? null }
      await writes.putSubscription(stored)
      if (before !== undefined) await auditOther(from, by, 'subscription.moved', { before, after: stored })
      return read((reader) => viewOf(() => open, reader, stored))
    },
    replay: async (from, place, wanted) => {
      const caller = callerOf(from)
      const before = await read((reader) => find(reader, place))
      const open = knownChannel(caller, place, before.channel)
      const { position, cursor, gap, from: present } = await moved(open, before, wanted)
      const sum = (difference: (at: number) => number): number =>
        position.reduce((total, _each, at) => total + Math.max(0, difference(at)), 0)
      return {
        ...{ cursor, gap },
        repeated: sum((at) => present![at]! - position[at]!),
        skipped: sum((at) => position[at]! - present![at]!),
      }
    },
    ack: async (from, name, cursor) => {
      const caller = callerOf(from)
      const place = { owner: from.access.user, name }
      const before = await read((reader) => find(reader, place))
      const open = knownChannel(caller, place, before.channel)
      const started = await start(open, { kind: 'cursor', cursor }, null)
      const stored = { ...before, cursor: started.cursor, ackedAt: clock.now() }
      await writes.putSubscription(stored)
      noteUse(from, caller, open)
      return read((reader) => viewOf(() => open, reader, stored))
    },
    subscription: async (from, name) => {
      const channels = ownChannels(callerOf(from))
      return read(async (reader) =>
        viewOf(channels, reader, await find(reader, { owner: from.access.user, name })),
      )
    },
    subscriptions: (from, { after, limit, ...selection }) => {
      const channels = channelsOf(callerOf(from), selection.isOperator)
      return read(async (reader) => {
        const all = await selected(reader, channels, from, selection)
        const first = after === undefined ? 0 : all.findIndex((each) => isAfter(each, after))
        const page = first === -1 ? [] : all.slice(first, first + limit)
        const views: SubscriptionView[] = []
        const logs = new Map<ChannelId, EventLog>()
        for (const each of page) views.push(await viewOf(channels, reader, each, logs))
        const last = page.at(-1)
        const hasMore = last !== undefined && first + limit < all.length
        return {
          ...{ subscriptions: views, total: all.length },
          next: hasMore ? { owner: last.owner, name: last.name } : null,
        }
      })
    },
    lags: () =>
      read(async (reader) => {
        const channels = channelsById({ present: parts.active() })
        const logs = new Map<ChannelId, EventLog>()
        const found: SubscriptionLag[] = []
        for (const { owner, name, channel, cursor } of await reader.subscriptions({})) {
          const open = channels.get(channel)
          if (open === undefined) continue
          found.push({
            owner,
            name,
            channel: open.channel.name,
            ...(await lagOf(reader, open, cursor, logs)),
          })
        }
        return found
      }),
    unsubscribe: async (from, place, by) => {
      const before = await read((reader) => find(reader, place))
      if (!(await writes.removeSubscription(place))) throw absent(place)
      await auditOther(from, by, 'subscription.deleted', { before, after: null })
    },
    unsubscribeAll: async (from, { filter, createdUpTo, limit }, by) => {
      const channels = channelsOf(callerOf(from), filter.isOperator)
      const all = (await read((reader) => selected(reader, channels, from, filter))).filter(
        ({ createdAt }) => createdAt <= createdUpTo,
      )
      const part = all.slice(0, limit)
      // A different request can have deleted some of them since they were read: it has counted and audited those.
      const were = await Promise.all(
        part.map(({ owner, name }) => writes.removeSubscription({ owner, name })),
      )
      const deleted = part.filter((_, at) => were[at])
      for (const before of deleted)
        await auditOther(from, by, 'subscription.deleted', { before, after: null })
      return { deleted: deleted.length, left: all.length - part.length }
    },
  }
}

/** Of a channel that is named by its name or by an alias of its object. */
const nameNow = ({ present: { view } }: RecordCaller, channel: string): string =>
  findChannel(view, channel)?.name ?? channel

/** In the order of the store. */
const isAfter = (each: SubscriptionPlace, { owner, name }: SubscriptionPlace): boolean =>
  each.owner > owner || (each.owner === owner && each.name > name)

const positionOf = (log: EventLog, cursor: string): Position =>
  startStream(log, { kind: 'cursor', cursor }, null).position

async function viewOf(
  channels: Known,
  reader: Pick<RecordReader, 'eventLog' | 'eventTime'>,
  { owner, name, cursor, createdAt, ackedAt, channel: id }: EventSubscription,
  logs = new Map<ChannelId, EventLog>(),
): Promise<SubscriptionView> {
  const facts = { name, owner, cursor, createdAt, ackedAt }
  const open = channels(id)
  if (open === undefined) return { ...facts, channel: null, lag: null, lagSince: null }
  const { lag, since } = await lagOf(reader, open, cursor, logs)
  return { ...facts, channel: open.channel.name, lag, lagSince: since }
}

async function lagOf(
  reader: Pick<RecordReader, 'eventLog' | 'eventTime'>,
  open: OpenChannel,
  cursor: string,
  logs: Map<ChannelId, EventLog>,
): Promise<{ lag: number; since: string | null }> {
  const log = logs.get(open.id) ?? (await logOf(reader, open))
  logs.set(open.id, log)
  const position = positionOf(log, cursor)
  let [lag, since]: [number, string | null] = [0, null]
  for (const [at, head] of latestOf(log).entries()) {
    if (head <= position[at]!) continue
    lag += head - position[at]!
    const oldest = await reader.eventTime(open.id, at, position[at]!)
    if (since === null || (oldest !== null && oldest < since)) since = oldest
  }
  return { lag, since }
}
