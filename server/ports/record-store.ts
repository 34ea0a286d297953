// Where records are stored. Asynchronous from the start, so that it can be a database on a different machine.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldUse } from './field-use.ts'
import type { RecordChange, RecordEffect } from './record-change.ts'
import type { RecordArchiveReader, RecordArchiveTransactor } from './record-archives.ts'
import type { DeliveryReader, DeliveryTransactor } from './deliveries.ts'
import type { EventReader, EventTransactor } from './events.ts'
import type { IngestReader, IngestTransactor } from './ingest.ts'
import type { OutboundCall, OutboxReader, OutboxTransactor } from './outbox.ts'
import type { RecordErasures } from './record-erasures.ts'
import type { RecordJobReader, RecordJobTransactor } from './record-jobs.ts'
import type { RecordTable } from './record-table.ts'
import type { TraceReader, TraceTransactor } from './trace.ts'
import type { QueryPlace, RecordCount, RecordQuery, RecordSearch } from './record-query.ts'
import type { FieldId, KeptInputs, ObjectId, RecordState } from '#kernel/records/index.ts'

export type { BoundTo, RecordChange, RecordEffect } from './record-change.ts'

export interface StoredRecord extends RecordState {
  /** 1 after the insert; grows with every write, also of a roll-up. */
  readonly version: number
  readonly createdAt: string
  readonly createdBy: string
  readonly changedAt: string
  readonly changedBy: string
  readonly inputs: ReadonlyMap<FieldId, KeptInputs>
}

/** The reply to a request with an idempotency key. */
export interface KeptReply {
  caller: string
  key: string
  /** Digest of the request. */
  request: string
  at: string
  reply: string
}

export interface QueryHit {
  record: StoredRecord
  /** After which the next page begins. */
  place: QueryPlace
}

export interface HistoryPage {
  /** Only changes before this version. */
  before?: number | undefined
  limit: number
}

export interface QueryPage {
  /** Fewer than the limit if they are large, but at least one if any is left. */
  hits: QueryHit[]
  hasMore: boolean
}

export interface ChangePage {
  /** Fewer than the limit if they are large, but at least one if any is left. A deletion and the write before it are together. */
  changes: RecordChange[]
  hasMore: boolean
}

export interface RecordReader
  extends
    RecordJobReader,
    RecordArchiveReader,
    IngestReader,
    EventReader,
    OutboxReader,
    DeliveryReader,
    TraceReader {
  /** What a client has used. */
  uses(client: string): Promise<FieldUse[]>
  /** The records with these ids, in no order; those that do not exist are left out. */
  get(object: ObjectId, ids: readonly string[]): Promise<StoredRecord[]>
  /** The records with this value of an indexed field, in the order of their ids; at most `limit`. */
  find(object: ObjectId, field: FieldId, value: FieldValue, limit?: number): Promise<StoredRecord[]>
  /** The generations that bindings of records keep, ascending; some may no longer be in use. */
  boundGenerations(): Promise<readonly number[]>
  /** All objects that have, or have had, records; also those that were removed from the org. */
  objects(): Promise<ObjectId[]>
  /** A page of the writes of a record, the newest first. */
  history(object: ObjectId, record: string, page: HistoryPage): Promise<ChangePage>
  /** Grows with every write of a record. */
  position(): Promise<number>
  /** The objects of which records were written after a position. */
  changedObjects(after: number): Promise<ObjectId[]>
  /** Effects after a sequence number, in their order. */
  effects(after: number, limit: number): Promise<(RecordEffect & { sequence: number })[]>
  /** A page of a query, in its order. */
  query(query: RecordQuery): Promise<QueryPage>
  /** How many records a query without a place finds, up to its limit. */
  countFound(query: RecordCount): Promise<number>
  /** A page of the records that a search finds, in the order of the word that was found and of the whole text. */
  search(search: RecordSearch): Promise<QueryPage>
  /** All records of an object after an id, in the order of their ids. */
  page(object: ObjectId, after: string | null, limit: number): Promise<StoredRecord[]>
}

/** Records that a transaction will look for by their ids, or by values of a unique field. */
export type Foreseen =
  | { object: ObjectId; ids: readonly string[] }
  | { object: ObjectId; field: FieldId; values: readonly FieldValue[] }

export interface RecordTransactor
  extends
    RecordReader,
    RecordJobTransactor,
    RecordArchiveTransactor,
    RecordErasures,
    IngestTransactor,
    EventTransactor,
    OutboxTransactor,
    DeliveryTransactor,
    TraceTransactor {
  /** Keeps the last use of each name. */
  noteUses(uses: readonly FieldUse[]): Promise<void>
  /** Reads many records at once that `get` and `find` will be asked for one by one. Changes no result. */
  foresee(all: readonly Foreseen[]): Promise<void>
  /** Makes room for tables and columns. Only adds: what exists keeps its values. */
  enter(tables: readonly RecordTable[]): Promise<void>
  insert(record: StoredRecord): Promise<void>
  update(record: StoredRecord): Promise<void>
  remove(object: ObjectId, id: string): Promise<void>
  /** @param call of an effect that is to be sent: it is in the outbox then */
  append(effect: RecordEffect, call?: OutboundCall): Promise<void>
  appendChange(change: RecordChange): Promise<void>
  keptReply(caller: string, key: string): Promise<KeptReply | undefined>
  /** @param since replies from before this instant are deleted */
  keepReply(reply: KeptReply, since: string): Promise<void>
  /** Undoes what `work` wrote if it throws, and nothing else. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** The reads of a moment: of records whose ids are known. */
export interface MomentReader {
  get(object: ObjectId, ids: readonly string[]): StoredRecord[]
  /** See `RecordReader.position`. */
  position(): number
}

export interface RecordStore {
  /**
   * One consistent state for the whole of `work`, which takes a moment and waits for nothing. Null if the store is not
   * in this process, or if a transaction is running: use `read`.
   */
  readNow<T>(work: (reader: MomentReader) => T): { value: T } | null
  /** Runs work that does not wait; what it reads with `readNow` is one consistent state. */
  inMoment(work: () => void): void
  /** One consistent state for the whole of `work`. */
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  /** One transaction, durable when the promise resolves; rolled back completely if `work` throws. */
  write<T>(work: (transactor: RecordTransactor) => Promise<T>): Promise<T>
  /**
   * The same for work that writes many records: a second thread may write them while the next ones are computed.
   * @param work can run twice, the second time after the first was undone
   * @param onSent called once everything is computed, before it is durable: from now on, the next such work is computed
   */
  writeMany<T>(work: (transactor: RecordTransactor) => Promise<T>, onSent?: () => void): Promise<T>
  /**
   * Removes what overwritten and deleted values have left in the files. Needs the time of a copy of the org, while writers
   * wait. @throws AlmanacError `org.busy`
   */
  removeTraces(): Promise<void>
  close(): Promise<void>
}
