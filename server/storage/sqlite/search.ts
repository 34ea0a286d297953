// Full-text search over keys, labels, values and expressions of the active generation: matches in names first, page by
// page in the order of the index, so that the cost is one page.
import type { Component } from '#kernel/components/body-types.ts'
import { componentTypes, type ComponentId } from '#kernel/components/component.ts'
import { searchWords, indexTextsOf } from '#kernel/search/index.ts'
import type { SearchOptions, SearchPage, SearchReader, SearchTypes } from '../../ports/search.ts'
import { all, one, OPEN, run, type Db } from './db.ts'
import { RowBatch } from './row-batch.ts'

const definitionMark = 'xqdefinition'

type SearchTable = 'search' | 'search_name'

interface Phase {
  rank: 'name' | 'text'
  table: SearchTable
  sql: string
  /** The match expression of the words; once for each place in the text of the statement. */
  query: (words: string) => string[]
}

/**
 * The minimum number of rows that the first statement reads, and the maximum for any statement: if many rows are not
 * wanted, each statement reads more than the one before.
 */
const minRows = 100
const maxRows = 20_000

/** `{kept}` is the place of the filter by types. */
const nameQuery =
  'SELECT rowid AS n FROM search_name WHERE search_name MATCH ? AND rowid > ? {kept} ORDER BY rowid LIMIT ?'

const phases: readonly Phase[] = [
  { rank: 'name', table: 'search_name', sql: nameQuery, query: (words) => [`${words} ${definitionMark}`] },
  {
    rank: 'name',
    table: 'search_name',
    sql: nameQuery,
    query: (words) => [`(${words}) NOT ${definitionMark}`],
  },
  {
    rank: 'text',
    table: 'search',
    sql: `SELECT rowid AS n FROM search WHERE search MATCH ?
      AND rowid NOT IN (SELECT rowid FROM search_name WHERE search_name MATCH ?) AND rowid > ? {kept} ORDER BY rowid LIMIT ?`,
    query: (words) => [words, words],
  },
]

export function searchReader(db: Db): SearchReader {
  return {
    find: (text, options) => find(db, text, options),
    count: (text, types) => count(db, text, types),
  }
}

/** Every word of the text must begin a word of a match. `after` is `next` of the previous page. */
function find(
  db: Db,
  text: string,
  { limit, after, isIncluded = () => true, ...types }: SearchOptions,
): SearchPage {
  const words = matchText(text)
  if (words === null) return { hits: [], next: null }
  const typeFilter = createTypeFilter(types)
  const exact = exactKeys(db, text).filter((id) => typeFilter.has(id) && isIncluded(id))
  const hits: SearchPage['hits'] = after === undefined ? exact.map((id) => ({ id, rank: 'key' })) : []
  const knownIds = new Set<ComponentId>(exact)
  const [start, place] = placeOf(after)
  for (let at = start; at < phases.length; at += 1) {
    const { rank, table, query } = phases[at]!
    const sql = phases[at]!.sql.replace('{kept}', typeFilter.sql(table))
    let last = at === start ? place : 0
    for (let count = Math.max(minRows, limit); hits.length < limit; count = Math.min(count * 4, maxRows)) {
      const rows = all<{ n: number }>(db, sql, ...query(words), last, count)
      for (const { n } of rows) {
        if (hits.length >= limit) break
        last = n
        const id = one<{ component: ComponentId }>(
          db,
          'SELECT component FROM searchable WHERE id = ?',
          n,
        )!.component
        if (!knownIds.has(id) && isIncluded(id)) hits.push({ id, rank })
      }
      if (rows.length < count) break
    }
    if (hits.length >= limit) return { hits, next: `${at}:${last}` }
  }
  return { hits, next: null }
}

function count(db: Db, text: string, types: SearchTypes = {}): number {
  const words = matchText(text)
  const sql = `SELECT count(*) AS n FROM search WHERE search MATCH ? ${createTypeFilter(types).sql('search')}`
  return words === null ? 0 : one<{ n: number }>(db, sql, words)!.n
}

interface TypeFilter {
  sql: (table: SearchTable) => string
  has: (id: ComponentId) => boolean
}

/** Types come from a closed list, so they can be part of the statement. */
function createTypeFilter({ type, excludedType }: SearchTypes): TypeFilter {
  const sql = (table: SearchTable): string => {
    const named = `(SELECT component FROM searchable WHERE id = ${table}.rowid)`
    return [
      ...(type === undefined ? [] : [`AND ${named} GLOB '${type}/*'`]),
      ...(excludedType === undefined ? [] : [`AND ${named} NOT GLOB '${excludedType}/*'`]),
    ].join(' ')
  }
  const has = (id: ComponentId): boolean =>
    (type === undefined || id.startsWith(`${type}/`)) &&
    (excludedType === undefined || !id.startsWith(`${excludedType}/`))
  return { sql, has }
}

function matchText(text: string): string | null {
  const words = searchWords(text)
  return words.length === 0 ? null : words.map((word) => `"${word}"*`).join(' ')
}

/** Components whose key equals the text. */
function exactKeys(db: Db, text: string): ComponentId[] {
  const key = text.trim().toLowerCase()
  const sql = `SELECT 1 AS found FROM placement WHERE type = ? AND key = ? AND to_gen = ${OPEN}`
  return componentTypes.flatMap((type): ComponentId[] =>
    one(db, sql, type, key) === undefined ? [] : [`${type}/${key}`],
  )
}

function placeOf(after: string | undefined): [phase: number, rowid: number] {
  const [phase, rowid] = (after ?? '0:0').split(':').map(Number)
  return [phase ?? 0, rowid ?? 0]
}

export interface Indexed {
  id: ComponentId
  /** Null if it is removed. */
  component: Component | null
  /** Whether it has no words yet. */
  isNew: boolean
}

/** Indexes components, in place of their former words. */
export function indexComponents(db: Db, indexed: readonly Indexed[]): void {
  const names = new RowBatch(db, 'INSERT INTO searchable', ['id', 'component'])
  for (const { id, isNew } of indexed) if (!isNew) removeWords(db, id)
  let last = one<{ last: number }>(db, 'SELECT coalesce(max(id), 0) AS last FROM searchable')!.last
  const first = last
  for (const { id, component } of indexed)
    if (component !== null) names.add({ id: (last += 1), component: id })
  // A statement of many rows makes the indexes write what they have in memory, so all of them come before.
  names.flush()
  last = first
  for (const { component } of indexed) {
    if (component === null) continue
    const { all: words, names: named } = indexedWords(component)
    run(db, 'INSERT INTO search (rowid, words) VALUES (?, ?)', (last += 1), words)
    run(db, 'INSERT INTO search_name (rowid, words) VALUES (?, ?)', last, named)
  }
}

function removeWords(db: Db, id: ComponentId): void {
  const row = one<{ id: number }>(db, 'SELECT id FROM searchable WHERE component = ?', id)
  if (row === undefined) return
  run(db, 'DELETE FROM search WHERE rowid = ?', row.id)
  run(db, 'DELETE FROM search_name WHERE rowid = ?', row.id)
  run(db, 'DELETE FROM searchable WHERE id = ?', row.id)
}

/** The words of a component in the two indexes. */
export function indexedWords(component: Component): { all: string; names: string } {
  const mark = component.type === 'config_entry' ? '' : ` ${definitionMark}`
  return {
    all: [component.type, ...indexTextsOf(component)].join(' '),
    names: `${component.key} ${component.label}${mark}`,
  }
}
