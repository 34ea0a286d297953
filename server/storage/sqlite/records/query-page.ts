// Reads the records of a page in its order, as far as they fit into memory.
import { maxPageCharacters, textLength } from '../../../ports/page-size.ts'
import type { QueryPlace, RecordCount, RecordQuery } from '../../../ports/record-query.ts'
import type { QueryHit, QueryPage, StoredRecord } from '../../../ports/record-store.ts'
import type { Db } from '../db.ts'
import { weightOf } from './record-weight.ts'
import { orderDecoders, querySql, type Sql, type Tables } from './query-sql.ts'
import { walkSql } from './query-walk.ts'
import type { MappedTable, Row } from './rows.ts'

interface Found {
  places: QueryPlace[]
  hasMore: boolean
}

/** The places of the records of a page. The values of their order count too, as they can be long texts. */
export function findPlaces(db: Db, query: RecordQuery, table: MappedTable, tables: Tables): Found {
  const walk = walkSql(db, query, table, tables)
  const walked = walk === null ? null : placesOf(db, walk, { query, table, tables, most: walk.most })
  return (
    walked ??
    placesOf(db, querySql({ ...query, limit: query.limit + 1 }, table, tables), { query, table, tables })!
  )
}

/** How many records a query finds, up to its limit. */
export function countPlaces(db: Db, query: RecordCount, table: MappedTable, tables: Tables): number {
  const { text, values } = querySql({ ...query, orderBy: [], after: null }, table, tables)
  const counted = db.prepare<unknown[], number>(`SELECT count(*) FROM (${text})`).pluck()
  return counted.get(...values) ?? 0
}

interface Reading {
  query: RecordQuery
  table: MappedTable
  tables: Tables
  /** Rows after which the places count as not found. */
  most?: number
}

function placesOf(
  db: Db,
  { text, values }: Sql,
  { query, table, tables, most = Infinity }: Reading,
): Found | null {
  const decoders = orderDecoders(query, table, tables)
  const places: QueryPlace[] = []
  let [characters, read] = [0, 0]
  const rows = db
    .prepare<unknown[], Row>(text)
    .safeIntegers()
    .iterate(...values)
  for (const row of rows) {
    read += 1
    if (row['marked'] === 0n || row['marked'] === null) continue
    if (places.length === query.limit || characters > maxPageCharacters) return { places, hasMore: true }
    const order = decoders.map((decode, index) => decode(row[`o${index}`] ?? null))
    places.push({ values: order, id: row['id'] as string })
    for (const value of order) characters += textLength(value)
  }
  return read < most ? { places, hasMore: false } : null
}

/** Records that are read at once. */
const chunk = 50

/** The records at these places; those that no longer exist are left out. */
export function readPlaces(
  { places, hasMore }: Found,
  read: (ids: readonly string[]) => readonly StoredRecord[],
): QueryPage {
  const hits: QueryHit[] = []
  let characters = 0
  for (let at = 0; at < places.length; at += chunk) {
    const some = places.slice(at, at + chunk)
    const records = new Map(read(some.map(({ id }) => id)).map((record) => [record.id, record]))
    for (const place of some) {
      const record = records.get(place.id)
      if (record === undefined) continue
      if (characters > maxPageCharacters) return { hits, hasMore: true }
      hits.push({ record, place })
      characters += weightOf(record)
    }
  }
  return { hits, hasMore }
}
