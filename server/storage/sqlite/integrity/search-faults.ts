// Compares the search index with an index that is built from the active generation.
import type { Component } from '#kernel/components/body-types.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { all, one, OPEN, run, type Db } from '../db.ts'
import { indexedWords } from '../search.ts'
import { fault } from './fault.ts'

const code = 'integrity.search'
const tables = ['search', 'search_name'] as const

export function searchFaults(db: Db): Finding[] {
  const ids = idFaults(db)
  try {
    for (const table of tables) createFresh(db, table)
    fill(db)
    return [...ids, ...tables.flatMap((table) => tableFaults(db, table))]
  } finally {
    for (const table of tables)
      for (const name of [`fresh_${table}`, `fresh_${table}_words`, `${table}_words`])
        db.exec(`DROP TABLE IF EXISTS temp."${name}"`)
  }
}

/** Only active content can be searched. */
function idFaults(db: Db): Finding[] {
  const active = `SELECT type || '/' || key FROM placement WHERE to_gen = ${OPEN}`
  const rows = all<{ id: string }>(
    db,
    `SELECT component AS id FROM searchable WHERE component NOT IN (${active})
     UNION ALL SELECT id FROM (SELECT type || '/' || key AS id FROM placement WHERE to_gen = ${OPEN})
       WHERE id NOT IN (SELECT component FROM searchable)`,
  )
  return rows.map(({ id }) => fault(code, id, 'The search index does not match the active generation.'))
}

function createFresh(db: Db, table: string): void {
  db.exec(`
    CREATE VIRTUAL TABLE temp."fresh_${table}" USING fts5 (words, content = '', contentless_delete = 1, detail = none);
    CREATE VIRTUAL TABLE temp."fresh_${table}_words" USING fts5vocab (temp, "fresh_${table}", instance);
    CREATE VIRTUAL TABLE temp."${table}_words" USING fts5vocab (main, "${table}", instance);`)
}

function fill(db: Db): void {
  const rows = all<{ id: number; json: string }>(
    db,
    `SELECT s.id, c.json FROM searchable s
     JOIN placement p ON p.to_gen = ${OPEN} AND s.component = p.type || '/' || p.key
     JOIN content c ON c.digest = p.digest`,
  )
  for (const { id, json } of rows) {
    const { all: words, names } = indexedWords(JSON.parse(json) as Component)
    run(db, 'INSERT INTO temp.fresh_search (rowid, words) VALUES (?, ?)', id, words)
    run(db, 'INSERT INTO temp.fresh_search_name (rowid, words) VALUES (?, ?)', id, names)
  }
}

function tableFaults(db: Db, table: string): Finding[] {
  const differs = (stored: string, fresh: string): boolean =>
    one(db, `SELECT 1 FROM (${stored} EXCEPT ${fresh})`) !== undefined ||
    one(db, `SELECT 1 FROM (${fresh} EXCEPT ${stored})`) !== undefined
  const pairs: readonly (readonly [stored: string, fresh: string])[] = [
    [`SELECT term, doc FROM temp."${table}_words"`, `SELECT term, doc FROM temp."fresh_${table}_words"`],
    [`SELECT id, sz FROM main."${table}_docsize"`, `SELECT id, sz FROM temp."fresh_${table}_docsize"`],
    [`SELECT k, v FROM main."${table}_config"`, `SELECT k, v FROM temp."fresh_${table}_config"`],
    // The first block counts documents and words.
    [
      `SELECT block FROM main."${table}_data" WHERE id = 1`,
      `SELECT block FROM temp."fresh_${table}_data" WHERE id = 1`,
    ],
  ]
  return !isConsistent(db, table) || pairs.some(([stored, fresh]) => differs(stored, fresh))
    ? [fault(code, table, 'The search index does not contain the words of the active generation.')]
    : []
}

/**
 * Whether the directory of pages leads to each segment from its first term on, and each word can be found through it.
 */
function isConsistent(db: Db, table: string): boolean {
  const stray = one(
    db,
    `SELECT 1 FROM main."${table}_idx" GROUP BY segid
     HAVING min(term) <> x'' OR segid NOT IN (SELECT id >> 37 FROM main."${table}_data")`,
  )
  if (stray !== undefined) return false
  const words = all<{ term: string; docs: number }>(
    db,
    `SELECT term, count(DISTINCT doc) AS docs FROM temp."${table}_words" GROUP BY term`,
  )
  const found = `SELECT count(*) AS n FROM main."${table}" WHERE "${table}" MATCH ?`
  return words.every(({ term, docs }) => one<{ n: number }>(db, found, `"${term}"`)!.n === docs)
}
