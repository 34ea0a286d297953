// The log of events. A transaction leaves events in an outbox; a drainer moves them from there to the log of their channel,
// where each has a number within its partition.
import type { ChannelId } from '#kernel/events/index.ts'
import type { RecordChange } from './record-change.ts'

/** A platform event. What captures a change is part of the change. */
export interface PlatformEvent {
  /** UUID. */
  id: string
  channel: ChannelId
  /** Of what decides its partition: the remainder by the number of partitions. */
  hash: number
  at: string
  actor: string
  correlationId: string
  generation: number
  /** As JSON has it. */
  payload: Readonly<Record<string, unknown>>
  /** Ids of the record whose automation has published it, and of those that it refers to: an erasure of one reaches it. */
  records: readonly string[]
  /** The fields of the payload that were computed from sensitive values of the record. */
  sensitive: readonly string[]
}

/** An event in a log. */
export interface LoggedEvent {
  id: string
  /** From 1, without gaps within its partition. */
  sequence: number
  at: string
  content:
    | { kind: 'change'; change: RecordChange }
    | {
        kind: 'platform'
        payload: PlatformEvent['payload']
        actor: string
        correlationId: string
        generation: number
      }
}

export interface LogPartition {
  /** The number of the newest event; 0 before the first one. */
  head: number
  /** The number of the newest event that was removed because of its age; 0 before. */
  tail: number
}

/** Why the cursors of an epoch do not continue in the next one. */
export type EpochReason = 'partitions' | 'restored'

export interface LogEpoch {
  epoch: number
  reason: EpochReason
  at: string
  /** The number of the newest event of each partition as the epoch began. */
  starts: readonly number[]
}

export interface EventLog {
  /** Short, random: distinguishes the cursors of one log from those of another, also of another org. */
  tag: string
  epoch: number
  /** As many as the channel has had when the epoch began. */
  partitions: readonly LogPartition[]
  /** Without the first epoch; the newest last. */
  epochs: readonly LogEpoch[]
}

export interface EventRange {
  partition: number
  /** A number. */
  after: number
  limit: number
}

export interface OlderRange {
  partition: number
  /** A number, which is included. */
  upTo: number
  limit: number
}

/** How far a subscriber is, as text that the store does not read. */
export interface EventSubscription {
  owner: string
  name: string
  channel: ChannelId
  cursor: string
  createdAt: string
  /** When the cursor was last moved; null before. */
  ackedAt: string | null
}

/** A channel of the active generation, as the drainer knows it. */
export interface DrainedChannel {
  partitions: number
  /** The channel whose log this one continues, if it has none of its own. */
  replaces: ChannelId | null
}

export interface DrainRequest {
  token: string
  /** Whether the drainer holds the lease already, as far as it knows. */
  isHolder: boolean
  now: string
  until: string
  limit: number
  channels: ReadonlyMap<ChannelId, DrainedChannel>
  /** Whether the channels are others than at the last drain: then the logs of all follow them. */
  hasOtherChannels: boolean
}

export type DrainOutcome =
  /** Another drainer has the lease: nothing was numbered. */
  | { kind: 'lost' }
  | {
      kind: 'drained'
      /** The channels that have new events, or a new epoch. */
      channels: ChannelId[]
      events: number
      /** Whether none is left; then the lease is free. */
      isEmpty: boolean
    }

export interface EventReader {
  /** Undefined if the channel never had an event. */
  eventLog(channel: ChannelId): Promise<EventLog | undefined>
  /** In the order of their numbers. Fewer than the limit if they are large, but at least one if any is left. */
  events(channel: ChannelId, range: EventRange): Promise<LoggedEvent[]>
  /** From a number backwards: the newest first. Limited as `events`. */
  olderEvents(channel: ChannelId, range: OlderRange): Promise<LoggedEvent[]>
  /** When the oldest event after a number was published; null without one. */
  eventTime(channel: ChannelId, partition: number, after: number): Promise<string | null>
  /** The number of the newest event that is older than an instant, in one partition. */
  eventBefore(channel: ChannelId, partition: number, at: string): Promise<number>
  /** Events that wait for their numbers, and since when the oldest one does. */
  waitingEvents(): Promise<{ count: number; oldestAt: string | null }>
  /** All channels that have a log. */
  eventChannels(): Promise<ChannelId[]>
  /** All of an owner, or of a channel; by owner and name. */
  subscriptions(of: { owner?: string; channel?: ChannelId }): Promise<EventSubscription[]>
}

export interface EventTransactor extends EventReader {
  publish(event: PlatformEvent): Promise<void>
  /** Takes the lease of the drainer, if it is free or was not extended in time, and numbers what waits, oldest first. */
  drainEvents(request: DrainRequest): Promise<DrainOutcome>
  /** Frees the lease of a drainer that stops. */
  releaseDrain(token: string): Promise<void>
  /** Begins the epoch after a given one, because a log is older than a cursor. Does nothing if a later one has begun. */
  beginEpoch(channel: ChannelId, epoch: number, at: string): Promise<void>
  /** Removes the oldest events of a channel from before an instant. Returns how many. */
  purgeEvents(channel: ChannelId, before: string, limit: number): Promise<number>
  putSubscription(subscription: EventSubscription): Promise<void>
  /** Returns whether it was there. */
  removeSubscription(owner: string, name: string): Promise<boolean>
}
