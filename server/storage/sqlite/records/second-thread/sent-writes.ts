// Writes as they are sent to another thread: many in one flat list, because lists of texts and numbers are copied fastest.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, KeptInputs, ObjectId, StoredBinding } from '#kernel/records/index.ts'
import type { RecordChange, StoredRecord } from '../../../../ports/record-store.ts'

export type SentWrites = readonly unknown[]

export const writes = {
  /** What the changes after it have in common. */
  circumstances: 0,
  insert: 1,
  /** The same, with its change. */
  inserted: 2,
  update: 3,
  remove: 4,
  change: 5,
  binding: 6,
  call: 7,
  savepoint: 8,
  release: 9,
  undo: 10,
} as const

/** Methods of a transactor that write, and return nothing. */
export const sentCalls = [
  'append',
  'putJob',
  'removeJob',
  'removeOperations',
  'indexWords',
  'markFilled',
  'markUnfilled',
  'noteFilled',
  'keepReply',
  'noteUses',
  'appendTrace',
  'putIngest',
  'putIngestPart',
  'removeIngestPart',
  'advanceIngest',
  'emptyIngest',
  'publish',
  'releaseDrain',
  'beginEpoch',
  'putSubscription',
] as const
export type SentCall = (typeof sentCalls)[number]

export type Mark = 'savepoint' | 'release' | 'undo'
export interface ReadCall {
  method: SentCall
  values: readonly unknown[]
}

/** Values in a list before it is sent: fewer make more messages, more let the other thread wait. */
const enough = 800
/** The same within a savepoint, which need not be sent if all of its writes are in one list. */
const enoughWithin = 8000

type Circumstances = Pick<RecordChange, 'at' | 'by' | 'correlationId' | 'generation' | 'channels'>

/** A savepoint that has not ended. */
interface OpenSavepoint {
  /** Whether the other thread has it. */
  isSent: boolean
  /** Where its writes begin in the list, and what was known there. */
  at: number
  circumstances: Circumstances | null
  bindings: number
}

/** Collects writes, and sends them when there are enough. What is undone before it was sent is dropped. */
export class WriteSender {
  readonly #send: (list: SentWrites) => void
  #list: unknown[] = []
  /** The numbers of the bindings that the transaction has sent. */
  readonly #bindings = new Map<StoredBinding, number>()
  #circumstances: Circumstances | null = null
  /** An insert that waits for its change. */
  #inserted: StoredRecord | null = null
  /** A record that is updated again and again, as a parent with a roll-up, is sent once. */
  readonly #updated = new Map<string, StoredRecord>()
  #savepoints: OpenSavepoint[] = []

  constructor(send: (list: SentWrites) => void) {
    this.#send = send
  }

  /** Called when a transaction begins. It knows nothing of those before it, which can fail after this side has sent them. */
  begin(): void {
    this.#list = []
    this.#circumstances = this.#inserted = null
    this.#updated.clear()
    this.#bindings.clear()
    this.#savepoints = []
  }

  flush(): void {
    this.#settle()
    this.#sendSavepoints()
    if (this.#list.length === 0) return
    this.#send(this.#list)
    this.#list = []
  }

  insert(record: StoredRecord): void {
    this.#settleInsert()
    this.#inserted = record
  }

  update(record: StoredRecord): void {
    this.#settleInsert()
    this.#updated.set(`${record.object} ${record.id}`, record)
  }

  remove(object: ObjectId, id: string): void {
    this.#settle()
    this.#list.push(writes.remove, object, id)
  }

  change(change: RecordChange): void {
    const record = this.#inserted
    this.#enter(change)
    if (record !== null && isInsertOf(record, change)) {
      this.#inserted = null
      this.#know(record)
      this.#list.push(writes.inserted, record.object, record.id)
      this.#contents(record)
    } else {
      this.#settleInsert()
      const { object, version, operation, fields, bindings } = change
      this.#list.push(writes.change, object, change.record, version, operation)
      this.#list.push(bindings.length === 0 ? null : bindings, fields.length)
      for (const { field, before, after } of fields) this.#list.push(field, before, after)
    }
    const isHeld = this.#savepoints.at(-1)?.isSent === false
    if (this.#list.length >= (isHeld ? enoughWithin : enough)) this.flush()
  }

  call(method: SentCall, ...values: readonly unknown[]): void {
    this.#settle()
    this.#list.push(writes.call, method, values)
  }

  mark(kind: Mark): void {
    if (kind === 'savepoint') {
      this.#settle()
      const [circumstances, bindings] = [this.#circumstances, this.#bindings.size]
      this.#savepoints.push({ isSent: false, at: this.#list.length, circumstances, bindings })
      return
    }
    const ended = this.#savepoints.pop()!
    if (kind === 'undo' && !ended.isSent) return this.#drop(ended)
    this.#settle()
    if (ended.isSent) this.#list.push(writes[kind])
    if (this.#list.length >= enough) this.flush()
  }

  /** Undoes what was not sent. */
  #drop({ at, circumstances, bindings }: OpenSavepoint): void {
    this.#list.length = at
    this.#inserted = null
    this.#updated.clear()
    this.#circumstances = circumstances
    for (const [binding, number] of this.#bindings) if (number >= bindings) this.#bindings.delete(binding)
  }

  /** A part of their writes is about to be sent, and can then only be undone there. */
  #sendSavepoints(): void {
    for (const savepoint of this.#savepoints.toReversed()) {
      if (savepoint.isSent) return
      this.#list.splice(savepoint.at, 0, writes.savepoint)
      savepoint.isSent = true
    }
  }

  #settle(): void {
    this.#settleInsert()
    for (const record of this.#updated.values()) this.#record(writes.update, record)
    this.#updated.clear()
  }

  #settleInsert(): void {
    if (this.#inserted === null) return
    this.#record(writes.insert, this.#inserted)
    this.#inserted = null
  }

  #record(kind: number, record: StoredRecord): void {
    const { object, id, version, createdAt, createdBy, changedAt, changedBy } = record
    this.#know(record)
    this.#list.push(kind, object, id, version, createdAt, createdBy, changedAt, changedBy)
    this.#contents(record)
  }

  #contents({ values, bindings, inputs }: StoredRecord): void {
    const list = this.#list
    list.push(values.size)
    for (const [field, value] of values) list.push(field, value)
    list.push(bindings.size)
    for (const [field, binding] of bindings) list.push(field, this.#bindings.get(binding))
    list.push(inputs.size)
    for (const [field, kept] of inputs) list.push(field, kept)
  }

  #enter({ at, by, correlationId, generation, channels }: RecordChange): void {
    const known = this.#circumstances
    if (
      known?.at === at &&
      known.by === by &&
      known.correlationId === correlationId &&
      known.generation === generation &&
      known.channels === channels
    )
      return
    this.#circumstances = { at, by, correlationId, generation, channels }
    this.#list.push(writes.circumstances, at, by, correlationId, generation, channels)
  }

  #know({ bindings }: StoredRecord): void {
    for (const binding of bindings.values()) {
      if (this.#bindings.has(binding)) continue
      this.#bindings.set(binding, this.#bindings.size)
      this.#list.push(writes.binding, binding)
    }
  }
}

/** Whether a change follows from the record that was inserted. */
function isInsertOf(record: StoredRecord, change: RecordChange): boolean {
  const { values, createdAt, createdBy } = record
  if (change.operation !== 'insert' || change.record !== record.id || change.object !== record.object)
    return false
  if (record.version !== 1 || change.version !== 1) return false
  const isBy = (at: string, by: string): boolean => at === change.at && by === change.by
  if (!isBy(createdAt, createdBy) || !isBy(record.changedAt, record.changedBy)) return false
  let present = 0
  for (const value of values.values()) if (value !== null) present += 1
  return (
    change.bindings.length === 0 &&
    change.fields.length === present &&
    change.fields.every(({ field, before, after }) => before === null && values.get(field) === after)
  )
}

/** Writes rows at once, within a transaction. */
export interface RowWrites {
  insert(record: StoredRecord): void
  update(record: StoredRecord): void
  remove(object: ObjectId, id: string): void
  appendChange(change: RecordChange): void
}

/** Reads the writes of a list one after another. */
export class SentWriteReader {
  #list: SentWrites = []
  #at = 0
  #bindings: StoredBinding[] = []
  #circumstances: Circumstances = { at: '', by: '', correlationId: '', generation: 0 }

  /** Called when a transaction begins. */
  begin(): void {
    this.take([])
    this.#bindings = []
  }

  take(list: SentWrites): void {
    this.#list = list
    this.#at = 0
  }

  isAtEnd(): boolean {
    return this.#at === this.#list.length
  }

  /** Performs the next write. Returns the mark or the call that comes in place of it, if one does. */
  perform(rows: RowWrites): Mark | ReadCall | undefined {
    switch (this.#next<number>()) {
      case writes.circumstances:
        this.#circumstances = {
          at: this.#next(),
          by: this.#next(),
          correlationId: this.#next(),
          generation: this.#next(),
          channels: this.#next(),
        }
        break
      case writes.insert:
        rows.insert(this.#record())
        break
      case writes.inserted:
        this.#inserted(rows)
        break
      case writes.update:
        rows.update(this.#record())
        break
      case writes.remove:
        rows.remove(this.#next(), this.#next())
        break
      case writes.change:
        rows.appendChange(this.#change())
        break
      case writes.binding:
        this.#bindings.push(this.#next())
        break
      case writes.call:
        return { method: this.#next(), values: this.#next() }
      case writes.savepoint:
        return 'savepoint'
      case writes.release:
        return 'release'
      default:
        return 'undo'
    }
    return undefined
  }

  #next<T>(): T {
    return this.#list[this.#at++] as T
  }

  #inserted(rows: RowWrites): void {
    const { at, by, ...circumstances } = this.#circumstances
    const [object, id] = [this.#next<ObjectId>(), this.#next<string>()]
    const record: StoredRecord = {
      ...{ object, id, version: 1, createdAt: at, createdBy: by, changedAt: at, changedBy: by },
      values: this.#map<FieldValue>(() => this.#next()),
      bindings: this.#map(() => this.#bindings[this.#next<number>()]!),
      inputs: this.#map<KeptInputs>(() => this.#next()),
    }
    rows.insert(record)
    rows.appendChange({
      ...{ object, record: id, version: 1, operation: 'insert', at, by, ...circumstances },
      ...{ fields: fieldsOf(record), bindings: noBindings },
    })
  }

  #record(): StoredRecord {
    return {
      object: this.#next(),
      id: this.#next(),
      version: this.#next(),
      createdAt: this.#next(),
      createdBy: this.#next(),
      changedAt: this.#next(),
      changedBy: this.#next(),
      values: this.#map<FieldValue>(() => this.#next()),
      bindings: this.#map(() => this.#bindings[this.#next<number>()]!),
      inputs: this.#map<KeptInputs>(() => this.#next()),
    }
  }

  #map<V>(read: () => V): Map<FieldId, V> {
    const map = new Map<FieldId, V>()
    for (let left = this.#next<number>(); left > 0; left -= 1) map.set(this.#next(), read())
    return map
  }

  #change(): RecordChange {
    return {
      object: this.#next(),
      record: this.#next(),
      version: this.#next(),
      operation: this.#next(),
      ...this.#circumstances,
      bindings: this.#next<RecordChange['bindings'] | null>() ?? noBindings,
      fields: Array.from({ length: this.#next() }, () => ({
        field: this.#next(),
        before: this.#next(),
        after: this.#next(),
      })),
    }
  }
}

const noBindings: RecordChange['bindings'] = []

function fieldsOf({ values }: StoredRecord): RecordChange['fields'] {
  const fields: { field: FieldId; before: null; after: FieldValue }[] = []
  for (const [field, after] of values) if (after !== null) fields.push({ field, before: null, after })
  return fields.sort((a, b) => a.field - b.field)
}
