// Events, their channels and subscriptions as they cross HTTP (docs/reference/events.md).
import type { ObjectFieldType } from '#kernel/components/field-types.ts'

export interface EventJson {
  /** UUID. A consumer can receive an event twice, and recognises it by this. */
  eventId: string
  /** A whole number, which grows by one within its partition. */
  sequence: string
  /** ISO 8601 instant. */
  commitTs: string
  partition: number
  correlationId: string
  generation: number
  /** Of a change: `{ object, id, operation, changed, prior, user }`. */
  payload: object
}

export interface ChannelView {
  name: string
  /** Of the channel; of an object whose changes it carries, if it is not declared. */
  label: string
  kind: 'platform' | 'changes'
  /** The object whose changes it carries. */
  object: string | null
  partitions: number
  retentionDays: number
  mayRead: boolean
  mayPublish: boolean
}

/** A field of the events of a channel. Of one that the caller cannot read, only the key is known. */
export interface ChannelField {
  key: string
  /** Other names under which a change has its value too. */
  aliases: string[]
  isReadable: boolean
  label: string | null
  type: ObjectFieldType | null
  required: boolean
  precision: number | null
  scale: number | null
  /** Keys of the active values of its value set. */
  values: string[] | null
  labels: Record<string, string> | null
  references: string | null
}

export interface ChannelLog {
  epoch: number
  partitions: {
    partition: number
    /** The number of the oldest event that is kept; one more than `last` if none is. */
    first: string
    /** 0 before the first event. */
    last: string
    /** When the oldest one was committed. */
    firstAt: string | null
  }[]
  /** Without the first epoch. */
  epochs: { epoch: number; reason: 'partitions' | 'restored'; at: string }[]
}

export interface ChannelDescription extends ChannelView {
  maxBytes: number
  fields: ChannelField[]
  /** Null for those who can only publish. */
  log: ChannelLog | null
}

/** Events that a consumer does not receive, or cannot have received. */
export interface EventGap {
  reason: 'retention' | 'ahead' | 'partitions' | 'restored'
  /** Where the stream was asked to go on, and where it does; only partitions in which these differ. */
  partitions: { partition: number; asked: string; resumesAfter: string }[]
}

/** An event of a page, with the cursor after it. */
export interface PageEvent extends EventJson {
  cursor: string
}

export interface EventPage {
  /** Of older ones, the newest first. */
  events: PageEvent[]
  /** Before the first event of the page; of older ones, after it. */
  start: string
  /** Where the next page begins. */
  cursor: string
  isAtEnd: boolean
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

/** What a subscription does if it is moved. */
export interface ReplayView {
  /** Where it goes on. */
  cursor: string
  /** Events that it receives again, and that it does not receive at all. */
  repeated: number
  skipped: number
  gap: EventGap | null
}
