// The words of searched fields, as the index contains them.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { searchOrder, searchWords, type FieldId } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
import type { MappedTable } from './rows.ts'

/** A word of a field of a record. */
export interface WordRow {
  field: FieldId
  word: string
  sort: string
}

/** The words of a record that belong in the index. `values`: of the searched fields. */
export function wordRows(table: MappedTable, value: (field: FieldId) => FieldValue): WordRow[] {
  return table.columns.flatMap(({ id, searched }) => (searched ? wordsOf(id, value(id)) : []))
}

export const wordsOfRecord = (table: MappedTable, { values }: StoredRecord): WordRow[] =>
  wordRows(table, (field) => values.get(field) ?? null)

/** Whether a write changes a searched field. */
export const hasOtherWords = ({ columns }: MappedTable, before: StoredRecord, after: StoredRecord): boolean =>
  columns.some(
    ({ searched, id }) => searched && (before.values.get(id) ?? null) !== (after.values.get(id) ?? null),
  )

export function wordsOf(field: FieldId, value: FieldValue): WordRow[] {
  if (typeof value !== 'string') return []
  const words = searchWords(value)
  const sort = searchOrder(words)
  return words.map((word) => ({ field, word, sort }))
}

const keyOf = ({ field, word, sort }: WordRow): string => JSON.stringify([field, word, sort])

/** The words that a write adds and removes. */
export function wordChanges(
  before: readonly WordRow[],
  after: readonly WordRow[],
): { added: WordRow[]; removed: WordRow[] } {
  if (before.length === 0) return { added: [...after], removed: [] }
  const [old, next] = [before, after].map((rows) => new Set(rows.map(keyOf))) as [Set<string>, Set<string>]
  return {
    added: after.filter((row) => !old.has(keyOf(row))),
    removed: before.filter((row) => !next.has(keyOf(row))),
  }
}
