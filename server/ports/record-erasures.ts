// What an erasure changes besides records: their history, effects and kept replies, which are never changed otherwise.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { PlatformEvent } from './events.ts'
import type { IngestFormat } from './ingest.ts'
import type { RecordChange, RecordEffect } from './record-change.ts'

export interface RecordErasures {
  /** The records of an object whose reference has named one of these records at any time, the removed ones included. */
  referredEver(object: ObjectId, reference: FieldId, to: readonly string[]): Promise<string[]>
  /**
   * Replaces the fields of the changes of a record, the first one first. Returns how many have changed.
   * @param rewrite returns the fields to store
   */
  rewriteHistory(
    object: ObjectId,
    record: string,
    rewrite: (change: RecordChange) => RecordChange['fields'],
  ): Promise<number>
  /** @param rewrite returns the body to store */
  rewriteEffects(
    records: ReadonlySet<string>,
    rewrite: (body: RecordEffect['body']) => RecordEffect['body'],
  ): Promise<void>
  /**
   * The same for platform events about the records, in the log or on their way to it.
   * @param rewrite receives which fields were computed from sensitive values
   */
  rewriteEvents(
    records: ReadonlySet<string>,
    rewrite: (payload: PlatformEvent['payload'], sensitive: readonly string[]) => PlatformEvent['payload'],
  ): Promise<void>
  /**
   * Rewrites the messages of problems and the reasons of users in the outbox, and marks the claimed rows of the records.
   * @param rewrite receives whether the row is of one of the records
   */
  rewriteOutbox(
    records: ReadonlySet<string>,
    rewrite: (text: string, isOfRecord: boolean) => string,
  ): Promise<void>
  /**
   * Rewrites rows of bulk jobs as they were sent: those of the records, and failed ones, which name no record.
   * @param rewrite returns what is stored in place of a row and of the message of a failure
   */
  rewriteIngests(records: ReadonlySet<string>, rewrite: IngestRewrite): Promise<void>
  /** Empties the kept replies that meet the condition: a repeated request is refused. */
  emptyReplies(condition: (reply: string) => boolean): Promise<void>
}

export interface IngestRewrite {
  row(text: string, format: IngestFormat, isOfRecord: boolean): string
  message(text: string): string
}

/** What is stored in place of a kept reply that was erased. */
export const emptyReply = 'null'
