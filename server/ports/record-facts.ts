// How many records and values an org has, for checks of a change list.
import type { ChannelId } from '#kernel/events/index.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { FieldUse } from './field-use.ts'

/** Values that are bound to one generation. */
export interface KeptCount {
  generation: number
  count: number
}

export interface BoundRecords {
  object: ObjectId
  records: number
  /** Ascending. */
  generations: readonly number[]
}

/** Records of an object whose reference names no record. */
export interface LostReferences {
  count: number
  /** The first ones, in the order of their ids. */
  records: readonly string[]
}

export interface RecordFacts {
  /** Whether any object has, or had, records. */
  any(): boolean
  /** Whether any job over records is stored. */
  anyJob(): boolean
  /** Whether there is a bulk job. */
  anyIngest(): boolean
  /** How many bulk jobs have not ended, by state. */
  unfinishedIngests(): ReadonlyMap<string, number>
  /** Whether any event is on the execution trace. */
  anyTrace(): boolean
  /** Whether there is a delivery to a webhook endpoint. */
  anyDelivery(): boolean
  /** Deliveries to a webhook endpoint that wait for their dispatch. @param endpoint identity */
  countUndispatched(endpoint: string): number
  /** Whether any call is in the outbox. */
  anyCall(): boolean
  /** Whether any event waits for its number. */
  anyWaitingEvent(): boolean
  /** Whether any channel has, or had, events. */
  anyEvent(): boolean
  /** Subscriptions to a channel, as `<owner>/<name>`. */
  subscriptionsTo(channel: ChannelId): readonly string[]
  count(object: ObjectId): number
  /** Records with a value in a field. */
  countValues(object: ObjectId, field: FieldId): number
  /** How many records have each of these texts in a field. */
  countEach(object: ObjectId, field: FieldId, values: readonly string[]): ReadonlyMap<string, number>
  /** Values of a field that more than one record has. */
  countDuplicates(object: ObjectId, field: FieldId): number
  /** @param target the object that the field refers to */
  lostReferences(object: ObjectId, field: FieldId, target: ObjectId): LostReferences
  /** The generations that stored values are bound to, ascending; some may no longer be in use. */
  boundGenerations(): readonly number[]
  /** How many records of each object have a value that is bound to a generation before this one. */
  boundRecords(before: number): readonly BoundRecords[]
  /** How many values of a field keep the formula of each generation, because they read its configuration. */
  keptValues(object: ObjectId, field: FieldId): readonly KeptCount[]
  /** What clients have used of an object. */
  uses(object: ObjectId): FieldUse[]
}
