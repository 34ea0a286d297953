// Builds the SQL of a record search: a walk through the entries of one word, in their order.
import { compareText } from '#kernel/expr/index.ts'
import { searchWords, type FieldId } from '#kernel/records/index.ts'
import type { Condition, QueryField, QueryPlace, RecordSearch } from '../../../ports/record-query.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
import { one, type Db } from '../db.ts'
import type { SqlValue } from './encoding.ts'
import { conditionSql, join, type Sql, type Tables } from './query-sql.ts'
import type { MappedTable, Row } from './rows.ts'
import { wordsOf, type WordRow } from './words.ts'

/** Registers the function that the search calls for each word but the first. */
export function installWordFunctions(db: Db): void {
  db.function('folded_words', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? ` ${searchWords(text).join(' ')}` : null,
  )
}

/** Rows whose words begin with a prefix are before its bound. */
const lastCharacter = '\u{10FFFF}'

type Search = Pick<RecordSearch, 'anyOf' | 'where' | 'fields' | 'words'>

/**
 * The word whose entries the search goes through: the longest one, which few begin with. It follows from the search alone:
 * the order of records would otherwise reveal how many entries hidden records have.
 */
export const driverOf = (words: readonly string[]): string =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest))

/** The number of entries that begin with a word, counted up to `most`. */
export function countEntries(
  db: Db,
  number: number,
  { fields, driver, most }: Pick<Search, 'fields'> & { driver: string; most: number },
): number {
  const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM record_word
    WHERE number = ? AND field = ? AND word >= ? AND word < ? LIMIT ?)`
  const counts = fields.map(
    (field) => one<{ count: number }>(db, sql, number, field, driver, driver + lastCharacter, most)!.count,
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Selects the records that can be found at all, if indexes lead to them; null if they do not. With few of them, it is
 * faster to look at each than to go through the entries of a frequent word.
 */
export function candidatesSql(
  { anyOf, where }: Search,
  { table, tables, most }: { table: MappedTable; tables: Tables; most: number },
): Sql | null {
  const branches = anyOf.map((alternative): Condition => ({ op: 'and', parts: [alternative, where] }))
  if (!branches.every((branch) => isIndexed(branch, table))) return null
  const selects = branches.map((branch) => {
    const { text, values } = conditionSql('r', table, branch, tables)
    return { text: `SELECT * FROM (SELECT r.id FROM ${table.name} r WHERE ${text} LIMIT ${most})`, values }
  })
  return {
    text: selects.map(({ text }) => text).join(' UNION '),
    values: selects.flatMap(({ values }) => values),
  }
}

function isIndexed(condition: Condition, table: MappedTable): boolean {
  const hasIndex = ({ via, field }: QueryField): boolean =>
    via.length === 0 && (field === 'id' || table.columns.some(({ id, indexed }) => id === field && indexed))
  switch (condition.op) {
    case 'and':
      return condition.parts.some((part) => isIndexed(part, table))
    case 'or':
      return condition.parts.every((part) => isIndexed(part, table))
    case 'in':
      return hasIndex(condition.field)
    case 'compare':
      return condition.operator === '==' && 'value' in condition.right && hasIndex(condition.left)
    default:
      return false
  }
}

export interface WordHit extends WordRow {
  id: string
}

/** Selects entries of a word in their order, of which a record can have several. */
export function searchSql(
  search: Search & { driver: string; after: QueryPlace | null; limit: number },
  { table, tables }: { table: MappedTable; tables: Tables },
): Sql {
  const { fields, words, driver, anyOf, where, after, limit } = search
  const columns = fields.flatMap((field) => table.columns.find(({ id }) => id === field)?.value ?? [])
  const rest = words.filter((word) => word !== driver)
  const others = rest.map((word) => ({
    text: columns.map((column) => `instr(folded_words(r.${column}), ?) > 0`).join(' OR '),
    values: columns.map(() => ` ${word}`),
  }))
  const visible: Condition = { op: 'and', parts: [{ op: 'or', parts: anyOf }, where] }
  const conditions = join([conditionSql('r', table, visible, tables), ...others], ' AND ')
  const branches = fields.map((field): Sql => {
    const range = [BigInt(table.number), BigInt(field), driver, driver + lastCharacter]
    const place: SqlValue[] = after === null ? [] : [...(after.values as string[]), after.id]
    return {
      text: `SELECT w.word AS word, w.sort AS sort, w.id AS id, w.field AS field
        FROM record_word w CROSS JOIN ${table.name} r ON r.id = w.id
        WHERE w.number = ? AND w.field = ? AND w.word >= ? AND w.word < ?
        ${after === null ? '' : 'AND (w.word, w.sort, w.id) > (?, ?, ?)'} AND (${conditions.text})
        ORDER BY w.word, w.sort, w.id LIMIT ${limit}`,
      values: [...range, ...place, ...conditions.values],
    }
  })
  const union = branches.map(({ text }) => `SELECT * FROM (${text})`).join(' UNION ALL ')
  return {
    text: `${union} ORDER BY word, sort, id, field LIMIT ${limit}`,
    values: branches.flatMap(({ values }) => values),
  }
}

export const wordHitOf = (row: Row): WordHit => ({
  id: row['id'] as string,
  word: row['word'] as string,
  sort: row['sort'] as string,
  field: Number(row['field']) as FieldId,
})

/** The entry of a record that counts: the first one of the word that was found; null if it does not have all words. */
export function firstHit(
  record: StoredRecord,
  { fields, words }: Pick<Search, 'fields' | 'words'>,
  driver: string,
): WordHit | null {
  const rows = fields.flatMap((field) => wordsOf(field, record.values.get(field) ?? null))
  if (!words.every((word) => rows.some((row) => row.word.startsWith(word)))) return null
  const found = rows.filter(({ word }) => word.startsWith(driver)).toSorted(compareHits)
  return { ...found[0]!, id: record.id }
}

/** The order of a search. */
export function compareHits(a: WordRow & { id?: string }, b: WordRow & { id?: string }): number {
  return (
    compareText(a.word, b.word) ||
    compareText(a.sort, b.sort) ||
    compareText(a.id ?? '', b.id ?? '') ||
    a.field - b.field
  )
}
