// The lower bound of a bulk job: rows in one SQLite file as a program without a data model would insert them, each with
// its event and its result, 200 in a transaction with an fsync.
import Database from 'better-sqlite3'

const perTransaction = 200

/**
 * Inserts rows whose values are at hand as text.
 * @returns the milliseconds that it takes
 */
export function insertRaw(path: string, names: readonly string[], rows: Iterable<readonly string[]>): number {
  const db = new Database(path)
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA cache_size = -65536;
    CREATE TABLE record (id INTEGER PRIMARY KEY, ${names.map((name) => `${name} TEXT`).join(', ')}) STRICT;
    CREATE UNIQUE INDEX record_first ON record (${names[0]});
    CREATE TABLE event (id INTEGER PRIMARY KEY, record INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
    CREATE TABLE result (row INTEGER PRIMARY KEY, record INTEGER NOT NULL, outcome TEXT NOT NULL) STRICT;
  `)
  const insert = db.prepare(`INSERT INTO record VALUES (${['id', ...names].map(() => '?').join(', ')})`)
  const addEvent = db.prepare('INSERT INTO event (record, body) VALUES (?, ?)')
  const addResult = db.prepare(`INSERT INTO result (record, outcome) VALUES (?, 'created')`)
  const commit = db.transaction((batch: readonly (readonly string[])[]) => {
    for (const cells of batch) {
      const { lastInsertRowid: id } = insert.run(null, ...cells)
      addEvent.run(id, JSON.stringify(cells))
      addResult.run(id)
    }
  })
  const started = performance.now()
  let batch: (readonly string[])[] = []
  for (const cells of rows) {
    batch.push(cells)
    if (batch.length < perTransaction) continue
    commit(batch)
    batch = []
  }
  commit(batch)
  const ms = performance.now() - started
  db.close()
  return ms
}
