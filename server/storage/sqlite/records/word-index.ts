// Keeps the words of records with each write, and finds records by them.
import type Database from 'better-sqlite3'
import type { QueryPlace, RecordSearch } from '../../../ports/record-query.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'
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
const valuesPerWord = 5

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
  #pending: unknown[] = []

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
    for (const { field, word, sort } of added) this.#pending.push(number, field, word, sort, id)
    if (this.#pending.length >= mostAdded * valuesPerWord) this.flush()
  }

  /** Writes the words that are not written yet. Called before a commit and before a savepoint. */
  flush(): void {
    const pending = this.#pending
    const most = mostAdded * valuesPerWord
    for (let at = 0; at < pending.length; at += most) this.#add(pending.slice(at, at + most))
    if (pending.length > 0) this.#pending = []
  }

  /** Drops them: the records that have them were undone. */
  forget(): void {
    this.#pending = []
  }

  #add(rows: readonly unknown[]): void {
    const count = rows.length / valuesPerWord
    let statement = this.#adds[count]
    if (statement === undefined) this.#adds[count] = statement = this.#statement(addWordsSql(count))
    statement.run(rows)
  }

  /** The places of the records of a page. */
  search(search: RecordSearch, searched: SearchedTable): { places: QueryPlace[]; hasMore: boolean } {
    this.flush()
    const driver = driverOf(search.words)
    const { fields, limit } = search
    const entries = countEntries(this.#db, searched.table.number, { fields, driver, most: this.#few })
    const few = entries < this.#few ? null : this.#candidates(search, searched)
    const places =
      few === null
        ? this.#throughEntries(search, searched, driver)
        : placesAmong(firstHits(few, search, driver, searched.read), search.after)
    return { places: places.slice(0, limit), hasMore: places.length > limit }
  }

  /** The ids of the records that can be found at all; null if there are too many to look at each. */
  #candidates(search: RecordSearch, searched: SearchedTable): string[] | null {
    const sql = candidatesSql(search, { ...searched, most: this.#few })
    if (sql === null) return null
    const rows = this.#statement(sql.text).all(...sql.values) as Row[]
    return rows.length < this.#few ? rows.map(({ id }) => id as string) : null
  }

  /** A record has an entry for each word and field, of which the first one counts. One more than the limit, if there are. */
  #throughEntries(
    search: RecordSearch,
    { table, tables, read }: SearchedTable,
    driver: string,
  ): QueryPlace[] {
    const limit = search.limit + 1
    const places: QueryPlace[] = []
    let { after } = search
    while (places.length < limit) {
      const { text, values } = searchSql({ ...search, limit, driver, after }, { table, tables })
      const rows = this.#statement(text).all(...values) as Row[]
      const found = rows.map(wordHitOf)
      const first = firstHits([...new Set(found.map(({ id }) => id))], search, driver, read)
      for (const hit of found) {
        const counted = first.get(hit.id)
        if (counted !== undefined && compareHits(counted, hit) === 0) places.push(placeOf(hit))
      }
      if (rows.length < limit) break
      after = placeOf(found.at(-1)!)
    }
    return places
  }
}

/** Records that are read at once to find their words. */
const chunk = 100

/** The entry that counts of each of these records that is found. */
function firstHits(
  ids: readonly string[],
  search: RecordSearch,
  driver: string,
  read: SearchedTable['read'],
): Map<string, WordHit> {
  const hits = new Map<string, WordHit>()
  for (let at = 0; at < ids.length; at += chunk)
    for (const record of read(ids.slice(at, at + chunk))) {
      const hit = firstHit(record, search, driver)
      if (hit !== null) hits.set(record.id, hit)
    }
  return hits
}

function placesAmong(hits: ReadonlyMap<string, WordHit>, after: QueryPlace | null): QueryPlace[] {
  const isAfter = (hit: WordHit): boolean =>
    after === null || compareHits(hit, { ...entryOf(after), field: hit.field }) > 0
  return [...hits.values()].filter(isAfter).toSorted(compareHits).map(placeOf)
}

const entryOf = ({ values, id }: QueryPlace): { word: string; sort: string; id: string } => ({
  word: values[0] as string,
  sort: values[1] as string,
  id,
})
