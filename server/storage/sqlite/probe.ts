// A fast check of the file: the first and the last row of every table, which reads the root page of each.
import { all, one, type Db } from './db.ts'

/** @throws AlmanacError storage.damaged, storage.failed */
export function probeTables(db: Db): void {
  // Pages in memory prove nothing about the disk.
  db.pragma('shrink_memory')
  const tables = all<{ name: string; wr: number }>(
    db,
    `SELECT name, wr FROM pragma_table_list WHERE schema IN ('main', 'records') AND type = 'table'`,
  )
  for (const { name, wr } of tables) {
    if (wr === 1) one(db, `SELECT * FROM "${name}" LIMIT 1`)
    else {
      one(db, `SELECT * FROM "${name}" ORDER BY rowid LIMIT 1`)
      one(db, `SELECT * FROM "${name}" ORDER BY rowid DESC LIMIT 1`)
    }
  }
}
