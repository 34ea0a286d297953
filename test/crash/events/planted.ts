// Drainers with faults, which the check must report.
import Database from 'better-sqlite3'
import { orgFile } from '../../../server/compose/org-folder.ts'
import { recordsFile } from '../../../server/storage/sqlite/records/records-file.ts'

interface Waiting {
  id: number
  event_id: string
  at: string
}

const open = (dir: string): Database.Database => new Database(recordsFile(orgFile(dir)))

function append(db: Database.Database, rows: readonly Waiting[]): void {
  db.prepare(
    `INSERT OR IGNORE INTO record_log (id, channel, tag, epoch, partitions) VALUES (1, 'event_channel memo 1', 'tag', 1, 1)`,
  ).run()
  const head = (db
    .prepare('SELECT max(sequence) FROM record_event WHERE log = 1 AND partition = 0')
    .pluck()
    .get() ?? 0) as number
  for (const [at, row] of rows.entries()) {
    db.prepare(
      `INSERT INTO record_event (log, partition, sequence, event_id, at, digest) VALUES (1, 0, @sequence, @event_id, @at, '')`,
    ).run({ sequence: head + at + 1, event_id: row.event_id, at: row.at })
    db.prepare('DELETE FROM record_event_outbox WHERE id = ?').run(row.id)
  }
}

/** Reads at once, and numbers later without a look at the lease. */
export function lateDrainer(dir: string): { number(): void } {
  const db = open(dir)
  const rows = db.prepare('SELECT id, event_id, at FROM record_event_outbox ORDER BY id').all() as Waiting[]
  return {
    number: () => {
      db.transaction(() => append(db, rows))()
      db.close()
    },
  }
}

/** Reads what comes after the last row that it has read. */
export function afterLastRow(dir: string): { number(): void } {
  let last = 0
  return {
    number: () => {
      const db = open(dir)
      const sql = 'SELECT id, event_id, at FROM record_event_outbox WHERE id > ? ORDER BY id'
      const rows = db.prepare(sql).all(last) as Waiting[]
      last = rows.at(-1)?.id ?? last
      db.transaction(() => append(db, rows))()
      db.close()
    },
  }
}
