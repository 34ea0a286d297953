// Bulk ingest: jobs over rows that a client has uploaded in parts. Rows are saved in batches, each in one transaction with
// its outcomes and the place after it, so that a job continues after a restart with the next row.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'

export type IngestOperation = 'insert' | 'update' | 'upsert' | 'delete'
export type IngestFormat = 'csv' | 'jsonl'
/** The name of a field; null for a column that is not loaded. */
export type IngestColumn = string | null

/** `open` takes parts; `queued` is closed and waits; `failed` ended at a row that cannot be read, or without its columns. */
export type IngestState = 'open' | 'queued' | 'processing' | 'completed' | 'failed' | 'aborted'

export interface IngestJob {
  id: string
  object: ObjectId
  operation: IngestOperation
  format: IngestFormat
  /** The unique field by which records are found, as the client has named it; null for none. */
  externalId: string | null
  /** As the client has named them; null until the header is read. */
  columns: readonly IngestColumn[] | null
  /**
   * For each column and for `externalId`, the fields along its path as they were at the close, when it was judged; null
   * until then.
   */
  fields: readonly (readonly FieldId[])[] | null
  /** Whether the first row of the parts is a header, which names the columns if `columns` does not. */
  hasHeader: boolean
  state: IngestState
  createdAt: string
  /** The user with whose rights it runs. */
  createdBy: string
  /** The registered client; null for none. */
  client: string | null
  correlationId: string
  scopePath: ScopePath
  closedAt: string | null
  finishedAt: string | null
  /** How many parts it has; null until it is closed. */
  parts: number | null
  /** Of all parts, after decompression. */
  bytes: number
  /** Null until they are counted. */
  rowsTotal: number | null
  place: IngestPlace
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  /** Why the job ended early; null if it did not. */
  problem: { code: string; message: string } | null
  /** Rows that an erasure has overwritten in the parts, in the order of the erasures. */
  erased: readonly ErasedBytes[]
  /** Whether parts and results were removed after their time. */
  isPurged: boolean
}

/** Bytes of the parts, one after the other. */
export interface ErasedBytes {
  from: number
  length: number
}

/** Where the next row begins. */
export interface IngestPlace {
  /** In bytes, of the parts one after the other. */
  offset: number
  /** Rows before it, without the header. */
  rows: number
  /** Lines before it. */
  lines: number
}

export interface IngestPart {
  job: string
  /** From 1. */
  number: number
  /** Its name in the store of parts. */
  name: string
  /** After decompression. */
  bytes: number
  /** SHA-256 of the decompressed bytes, as hexadecimal digits. */
  digest: string
}

/** What has become of a row, with its line and the length of its text in the source of the batch. */
export type IngestOutcome = [line: number, bytes: number, ...IngestEnd]
export type IngestEnd =
  | [ended: 'created' | 'changed' | 'unchanged' | 'deleted', id: string]
  | [ended: 'failed', code: string, message: string]

/** The rows of a transaction. */
export interface IngestBatch {
  job: string
  /** The number of its first row, from 1. */
  first: number
  outcomes: readonly IngestOutcome[]
  /** The rows as they were sent, compressed with zstd. */
  source: Uint8Array
}

/** What a transaction has done for a job. */
export interface IngestStep {
  job: string
  /** Rows before it. */
  rows: number
  /** After it. */
  place: IngestPlace
  /** How many erasures of rows the job had when the rows were read. */
  erased: number
  /** How the job goes on. */
  state: 'processing' | 'completed'
  at: string
  batch: IngestBatch
}

export interface IngestPage {
  limit: number
  /** Only those that were created before a job. */
  before?: string | undefined
  createdBy?: string | undefined
  states?: readonly IngestState[] | undefined
  object?: ObjectId | undefined
  /** Only jobs that failed, or that have a failed row. */
  isFailed?: boolean | undefined
}

export interface BatchPage {
  /** Batches that begin after this row. */
  after: number
  limit: number
  /** Only those with a failed row. */
  isFailed: boolean
}

export interface IngestReader {
  ingest(id: string): Promise<IngestJob | undefined>
  /** The newest first. */
  ingests(page: IngestPage): Promise<IngestJob[]>
  /** Jobs of a user that are open, queued or processing. */
  countUnfinishedIngests(createdBy: string): Promise<number>
  /** Queued or processing, the oldest first. */
  waitingIngests(): Promise<IngestJob[]>
  /** By number. */
  ingestParts(job: string): Promise<IngestPart[]>
  /** In the order of the rows. */
  ingestBatches(job: string, page: BatchPage): Promise<IngestBatch[]>
}

export interface IngestTransactor extends IngestReader {
  putIngest(job: IngestJob): Promise<void>
  /** Replaces the part with the same number. */
  putIngestPart(part: IngestPart): Promise<void>
  /** Removes a part that was not replaced since. */
  removeIngestPart(part: IngestPart): Promise<void>
  /**
   * Notes a step, if the job is processed, is where the step begins, and no row was erased since the rows were read.
   * Otherwise the transaction fails.
   * @throws AlmanacError `ingest.state`
   */
  advanceIngest(step: IngestStep): Promise<void>
  /** Removes the parts and the batches of a job. */
  emptyIngest(job: string): Promise<void>
}

/** Writes the bytes of a part. Nothing of it is visible before it is kept. */
export interface PartWriter {
  write(bytes: Uint8Array): Promise<void>
  /** Returns the name of the part once its bytes are durable. */
  keep(): Promise<string>
  discard(): Promise<void>
}

/** Where the bytes of parts are. @throws AlmanacError `storage.*` */
export interface PartStore {
  begin(job: string): Promise<PartWriter>
  /** The bytes of a part from an offset on. */
  read(job: string, name: string, from: number): AsyncIterable<Uint8Array>
  /** Overwrites bytes of a part, which then are durable. A part that does not exist any more is left out. */
  overwrite(job: string, name: string, at: number, bytes: Uint8Array): Promise<void>
  remove(job: string, name: string): Promise<void>
  removeAll(job: string): Promise<void>
  /** Jobs of which parts are stored. */
  jobs(): Promise<string[]>
}
