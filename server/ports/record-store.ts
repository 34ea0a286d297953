// Where records are stored. Asynchronous from the start, so that it can be a database on a different machine.
import type { FieldValue, ObjectFieldType } from '#kernel/components/field-types.ts'
import type { FieldId, KeptInputs, ObjectId, RecordState } from '#kernel/records/index.ts'

export interface StoredRecord extends RecordState {
  /** 1 after the insert; grows with every write, also of a roll-up. */
  readonly version: number
  readonly createdAt: string
  readonly createdBy: string
  readonly changedAt: string
  readonly changedBy: string
  readonly inputs: ReadonlyMap<FieldId, KeptInputs>
}

/** How a field is stored. */
export interface RecordColumn {
  id: FieldId
  type: ObjectFieldType
  /** For a number. */
  precision?: number
  scale?: number
  /** Whether records are found by this field: a reference, or a unique field. */
  indexed: boolean
  /** Whether it has a binding: a stored formula or a roll-up. */
  bound: boolean
}

export interface RecordTable {
  id: ObjectId
  columns: readonly RecordColumn[]
}

/** One write of a record: who changed what, and when. */
export interface RecordChange {
  object: ObjectId
  record: string
  /** Of the record after the write; of a removed one, its last. */
  version: number
  operation: 'insert' | 'update' | 'delete'
  at: string
  by: string
  correlationId: string
  /** The generation of the request. */
  generation: number
  /** Fields whose value differs, with the value before and after. */
  fields: readonly { field: FieldId; before: FieldValue; after: FieldValue }[]
}

/** What an automation leaves for after the commit: an event to publish, or a call to send. */
export interface RecordEffect {
  kind: 'publish' | 'enqueue'
  automation: string
  action: string
  /** `<object>/<id>` of the record, with its version. */
  record: string
  version: number
  generation: number
  actor: string
  at: string
  /** The values of the action, as JSON. */
  body: Readonly<Record<string, unknown>>
  /** Expressions that read sensitive fields, by their path in the action: evaluated when the effect is carried out. */
  deferred: readonly string[]
}

export interface RecordReader {
  /** The records with these ids, in no order; those that do not exist are left out. */
  get(object: ObjectId, ids: readonly string[]): Promise<StoredRecord[]>
  /** The records with this value of an indexed field, in the order of their ids; at most `limit`. */
  find(object: ObjectId, field: FieldId, value: FieldValue, limit?: number): Promise<StoredRecord[]>
  /** The generations that bindings of records name, ascending; some may no longer be in use. */
  boundGenerations(): Promise<number[]>
  /** The writes of a record, the first one first. */
  history(object: ObjectId, record: string): Promise<RecordChange[]>
  /** Effects after a sequence number, in their order. */
  effects(after: number, limit: number): Promise<(RecordEffect & { sequence: number })[]>
  /** All records of an object after an id, in the order of their ids. */
  page(object: ObjectId, after: string | null, limit: number): Promise<StoredRecord[]>
}

export interface RecordTransactor extends RecordReader {
  /** Makes room for tables and columns. Only adds: what exists keeps its values. */
  enter(tables: readonly RecordTable[]): Promise<void>
  insert(record: StoredRecord): Promise<void>
  update(record: StoredRecord): Promise<void>
  remove(object: ObjectId, id: string): Promise<void>
  append(effect: RecordEffect): Promise<void>
  appendChange(change: RecordChange): Promise<void>
  /** Undoes what `work` wrote if it throws, and nothing else. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export interface RecordStore {
  /** One consistent state for the whole of `work`. */
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  /** One transaction, durable when the promise resolves; rolled back completely if `work` throws. */
  write<T>(work: (transactor: RecordTransactor) => Promise<T>): Promise<T>
  close(): Promise<void>
}
