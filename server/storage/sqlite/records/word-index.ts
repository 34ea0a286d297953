// Keeps the words of records with each write, and finds records by them.
import type Database from 'better-sqlite3'
import type { QueryPlace, RecordSearch } from '../../../ports/record-query.ts'
import type { QueryHit, StoredRecord } from '../../../ports/record-store.ts'
import type { Db } from '../db.ts'
import type { Tables } from './query-sql.ts'
import type { MappedTable, Row } from './rows.ts'
import {
  candidatesSql,
  countEntries,
  driverOf,
  compareHits,
  firstHit,
  installWordFunctions,
  searchSql,
  wordHitOf,
  type WordHit,
} from './search-sql.ts'
import { wordChanges, type WordRow } from './words.ts'

// A record that a fill has not reached yet may have some of its words, or none.
const addWordsSql = (count: number): string =>
  `INSERT OR IGNORE INTO record_word (number, field, word, sort, id)
  VALUES ${Array.from({ length: count }, () => '(?, ?, ?, ?, ?)').join(', ')}`
const removeWordSql = `DELETE FROM record_word
  WHERE number = @number AND field = @field AND word = @word AND sort = @sort AND id = @id`

/** Words that one statement adds. */
const mostAdded = 16

const placeOf = ({ word, sort, id }: WordHit): QueryPlace => ({ values: [word, sort], id })

interface SearchedTable {
  table: MappedTable
  tables: Tables
  read(ids: readonly string[]): StoredRecord[]
}

export class WordIndex {
  readonly #db: Db
  readonly #statement: (sql: string) => Database.Statement<unknown[]>
  readonly #few: number
  /** By the number of words. */
  readonly #adds: Database.Statement<unknown[]>[] = []
  /** Words that are not written yet, with what they belong to. */
  #pending: unknown[][] = []

  /**
   * @param statement prepares a statement once
   * @param few entries or records that a search looks at before it compares ways to find them
   */
  constructor(db: Db, statement: (sql: string) => Database.Statement<unknown[]>, few: number) {
    this.#db = db
    this.#statement = statement
    this.#few = few
    installWordFunctions(db)
  }

  replace(table: MappedTable, id: string, before: readonly WordRow[], after: readonly WordRow[]): void {
    const { added, removed } = wordChanges(before, after)
    const number = BigInt(table.number)
    if (removed.length > 0) this.flush()
    for (const row of removed) this.#statement(removeWordSql).run({ ...row, number, id })
    for (const { field, word, sort } of added) this.#pending.push([number, field, word, sort, id])
    if (this.#pending.length >= mostAdded) this.flush()
  }

  /** Writes the words that are not written yet. Called before a commit and before a savepoint. */
  flush(): void {
    for (let at = 0; at < this.#pending.length; at += mostAdded)
      this.#add(this.#pending.slice(at, at + mostAdded))
    this.#pending = []
  }

  /** Drops them: the records that have them were undone. */
  forget(): void {
    this.#pending = []
  }

  #add(rows: readonly unknown[][]): void {
    let statement = this.#adds[rows.length]
    if (statement === undefined)
      this.#adds[rows.length] = statement = this.#statement(addWordsSql(rows.length))
    statement.run(rows.flat())
  }

  search(search: RecordSearch, searched: SearchedTable): QueryHit[] {
    this.flush()
    const driver = driverOf(search.words)
    const { fields } = search
    const entries = countEntries(this.#db, searched.table.number, { fields, driver, most: this.#few })
    const few = entries < this.#few ? null : this.#candidates(search, searched)
    return few === null ? this.#throughEntries(search, searched, driver) : hitsAmong(few, search, driver)
  }

  /** The records that can be found at all; null if there are too many to look at each. */
  #candidates(search: RecordSearch, searched: SearchedTable): StoredRecord[] | null {
    const sql = candidatesSql(search, { ...searched, most: this.#few })
    if (sql === null) return null
    const rows = this.#statement(sql.text).all(...sql.values) as Row[]
    return rows.length < this.#few ? searched.read(rows.map(({ id }) => id as string)) : null
  }

  /** A record has an entry for each word and field, of which the first one counts. */
  #throughEntries(search: RecordSearch, { table, tables, read }: SearchedTable, driver: string): QueryHit[] {
    const { limit } = search
    const hits: QueryHit[] = []
    let { after } = search
    while (hits.length < limit) {
      const { text, values } = searchSql({ ...search, driver, after }, { table, tables })
      const rows = this.#statement(text).all(...values) as Row[]
      const found = rows.map(wordHitOf)
      const records = new Map(
        read([...new Set(found.map(({ id }) => id))]).map((record) => [record.id, record]),
      )
      for (const hit of found) {
        const record = records.get(hit.id)!
        const first = firstHit(record, search, driver)
        if (first !== null && compareHits(first, hit) === 0) hits.push({ record, place: placeOf(hit) })
      }
      if (rows.length < limit) break
      after = placeOf(found.at(-1)!)
    }
    return hits.slice(0, limit)
  }
}

function hitsAmong(records: readonly StoredRecord[], search: RecordSearch, driver: string): QueryHit[] {
  const { after, limit } = search
  const hits = records.flatMap((record) => {
    const hit = firstHit(record, search, driver)
    return hit === null ? [] : [{ record, hit }]
  })
  const isAfter = ({ hit }: (typeof hits)[number]): boolean =>
    after === null || compareHits(hit, { ...entryOf(after), field: hit.field }) > 0
  return hits
    .filter(isAfter)
    .toSorted((a, b) => compareHits(a.hit, b.hit))
    .slice(0, limit)
    .map(({ record, hit }) => ({ record, place: placeOf(hit) }))
}

const entryOf = ({ values, id }: QueryPlace): { word: string; sort: string; id: string } => ({
  word: values[0] as string,
  sort: values[1] as string,
  id,
})
