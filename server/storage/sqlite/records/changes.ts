// The history of records: one row a write.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import { maxPageCharacters } from '../../../ports/page-size.ts'
import type { ChangePage, HistoryPage, RecordChange } from '../../../ports/record-store.ts'
import { all, one, type Db } from '../db.ts'
import { RowBatch } from '../row-batch.ts'
import type { EventOutbox } from './event-rows.ts'
import { rowDigest } from './row-digest.ts'

type FieldRow = [field: FieldId, before: FieldValue, after: FieldValue]
/** In the same list as the fields, for a value that is bound differently. */
type BindingRow = [field: FieldId, from: number, to: number, wasArchived: 0 | 1, isArchived: 0 | 1]

const changeColumns = [
  ...(['sequence', 'object', 'record', 'version', 'operation', 'at', 'by', 'correlation_id'] as const),
  ...(['generation', 'fields', 'digest'] as const),
] as const

/** Appends changes in one transaction: nothing else writes until it ends. */
export class ChangeLog {
  readonly #db: Db
  #sequence: number | null = null
  /** The digest of the last change of each record, by object and id. */
  readonly #digests = new Map<string, string>()
  readonly #rows: RowBatch<(typeof changeColumns)[number]>
  readonly #events: EventOutbox

  constructor(db: Db, events: EventOutbox) {
    this.#db = db
    this.#events = events
    this.#rows = new RowBatch(db, 'INSERT INTO record_change', changeColumns)
  }

  append(change: RecordChange): void {
    const { object, record, version, operation, at, by, correlationId, generation } = change
    const fields = fieldsText(change)
    const sequence = this.last() + 1
    const place = `${object} ${record}`
    // The id of a new record was never used before.
    const before = operation === 'insert' ? '' : (this.#digests.get(place) ?? this.#lastDigest(change))
    const circumstances = { at, by, correlation_id: correlationId, generation }
    const row = { sequence, object, record, version, operation, ...circumstances, fields }
    const digest = changeDigest(before, row)
    this.#rows.add({ ...row, digest })
    this.#sequence = sequence
    if (change.channels !== undefined) this.#events.capture(change.channels, change, sequence)
    if (this.#digests.size >= mostKnown) this.#digests.clear()
    this.#digests.set(place, digest)
  }

  /** The sequence number of the last change. */
  last(): number {
    return (this.#sequence ??= lastChange(this.#db))
  }

  historyOf(object: ObjectId, record: string, page: HistoryPage): ChangePage {
    this.flush()
    return changePage(this.#db, { object, record }, page)
  }

  objectsAfter(sequence: number): ObjectId[] {
    this.flush()
    const sql = 'SELECT DISTINCT object FROM record_change WHERE sequence > ?'
    return all<{ object: ObjectId }>(this.#db, sql, sequence).map(({ object }) => object)
  }

  /** Writes what was appended. Called before a commit and before a savepoint. */
  flush(): void {
    this.#rows.flush()
    this.#events.flush()
  }

  /** Called when the transaction ends, or a part of it was undone. */
  forget(): void {
    this.#rows.clear()
    this.#events.forget()
    this.#sequence = null
    this.#digests.clear()
  }

  #lastDigest({ object, record }: Pick<RecordChange, 'object' | 'record'>): string {
    this.flush()
    const sql =
      'SELECT digest FROM record_change WHERE record = ? AND object = ? ORDER BY sequence DESC LIMIT 1'
    return one<{ digest: string }>(this.#db, sql, record, object)?.digest ?? ''
  }
}

/** Digests that a transaction keeps at hand. */
const mostKnown = 5000

/** Covers the previous change of the record, so that none can be removed. */
export function changeDigest(before: string, row: ChangeRow): string {
  const { sequence, object, record, version, operation, at, by, correlation_id, generation, fields } = row
  return rowDigest(
    before,
    sequence,
    object,
    record,
    version,
    operation,
    at,
    by,
    correlation_id,
    generation,
    fields,
  )
}

export interface ChangeRow extends Omit<RecordChange, 'fields' | 'bindings' | 'correlationId' | 'channels'> {
  sequence: number
  correlation_id: string
  fields: string
}

function changePage(
  db: Db,
  { object, record }: Pick<RecordChange, 'object' | 'record'>,
  { before = Number.MAX_SAFE_INTEGER, limit }: HistoryPage,
): ChangePage {
  const rows = db
    .prepare<unknown[], ChangeRow>(
      `SELECT object, record, version, operation, at, by, correlation_id, generation, fields
       FROM record_change WHERE record = ? AND object = ? AND version < ? ORDER BY sequence DESC LIMIT ?`,
    )
    .iterate(record, object, before, limit + 2)
  const changes: RecordChange[] = []
  let characters = 0
  for (const row of rows) {
    const isFull = changes.length >= limit || characters > maxPageCharacters
    // A deletion has the version of the write before it, which a page of earlier versions would not contain.
    if (isFull && changes.at(-1)!.operation !== 'delete') return { changes, hasMore: true }
    changes.push(changeOf(row))
    characters += row.fields.length
  }
  return { changes, hasMore: false }
}

/** The changes of a record as they are stored, the first one first. */
export function changeRows(db: Db, object: ObjectId, record: string): (ChangeRow & { digest: string })[] {
  return all(
    db,
    `SELECT sequence, object, record, version, operation, at, by, correlation_id, generation, fields, digest
     FROM record_change WHERE record = ? AND object = ? ORDER BY sequence`,
    record,
    object,
  )
}

export function changeOf(row: Omit<ChangeRow, 'sequence'>): RecordChange {
  const { object, record, version, operation, at, by, correlation_id: correlationId, generation } = row
  const rows = JSON.parse(row.fields) as (FieldRow | BindingRow)[]
  const fields = rows.filter((each) => each.length === 3)
  const bindings = rows.filter((each) => each.length === 5)
  return {
    ...{ object, record, version, operation, at, by, correlationId, generation },
    fields: fields.map(([field, before, after]) => ({ field, before, after })),
    bindings: bindings.map(([field, from, to, wasArchived, isArchived]) => ({
      field,
      before: { generation: from, archived: wasArchived === 1 },
      after: { generation: to, archived: isArchived === 1 },
    })),
  }
}

export function fieldsText({ fields, bindings }: Pick<RecordChange, 'fields' | 'bindings'>): string {
  return JSON.stringify([
    ...fields.map(({ field, before, after }): FieldRow => [field, before, after]),
    ...bindings.map(({ field, before, after }): BindingRow => [
      ...([field, before.generation, after.generation] as const),
      ...([before.archived ? 1 : 0, after.archived ? 1 : 0] as const),
    ]),
  ])
}

/** The sequence number of the last write; 0 without one. */
function lastChange(db: Db): number {
  return one<{ last: number | null }>(db, 'SELECT max(sequence) AS last FROM record_change')?.last ?? 0
}
