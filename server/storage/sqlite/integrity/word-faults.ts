// Compares the words that the record search uses with the records.
import type { FieldId } from '#kernel/records/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { MappedTable } from '../records/rows.ts'
import { indexedColumns, mappedTables } from '../records/table-map.ts'
import { wordRows, type WordRow } from '../records/words.ts'
import { all, type Db } from '../db.ts'
import { fault } from './fault.ts'

export function wordFaults(db: Db): Finding[] {
  const tables = mappedTables(db)
  const known = JSON.stringify(tables.map(({ number }) => number))
  const strays = all<{ number: number }>(
    db,
    `SELECT DISTINCT number FROM record_word WHERE number NOT IN (SELECT value FROM json_each('${known}'))`,
  )
  return [
    ...strays.map(({ number }) => wordFault(`record_${number}`)),
    ...tables.filter((table) => isDifferent(db, table)).map(({ name }) => wordFault(name)),
  ]
}

const wordFault = (table: string): Finding =>
  fault('integrity.search', table, 'The search index of the records does not match the records.')

/** Whether a record lacks one of its words, or the index has others. A job can still be indexing some records. */
function isDifferent(db: Db, table: MappedTable): boolean {
  const complete = indexedColumns(db, table.number)
  const find = db
    .prepare('SELECT 1 FROM record_word WHERE number = ? AND field = ? AND word = ? AND sort = ? AND id = ?')
    .pluck()
  const counts = new Map<FieldId, number>()
  for (const [id, words] of expectedWords(db, table))
    for (const { field, word, sort } of words)
      if (find.get(table.number, field, word, sort, id) !== undefined)
        counts.set(field, (counts.get(field) ?? 0) + 1)
      else if (complete.has(field)) return true
  const stored = all<{ field: FieldId; count: number }>(
    db,
    'SELECT field, count(*) AS count FROM record_word WHERE number = ? GROUP BY field',
    table.number,
  )
  return stored.some(({ field, count }) => counts.get(field) !== count)
}

function* expectedWords(db: Db, table: MappedTable): Iterable<[id: string, words: WordRow[]]> {
  const searched = table.columns.filter((column) => column.searched)
  if (searched.length === 0) return
  const names = searched.map(({ value }) => value)
  const rows = db.prepare(`SELECT id, ${names.join(', ')} FROM ${table.name}`).iterate()
  for (const row of rows as Iterable<Record<string, string | null>>) {
    const values = new Map(searched.map((column) => [column.id, row[column.value] ?? null]))
    yield [row['id']!, wordRows(table, (field) => values.get(field) ?? null)]
  }
}
