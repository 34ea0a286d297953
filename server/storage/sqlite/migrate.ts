// Brings a file to the schema of this Almanac, each step in one transaction; a newer file is refused untouched.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { migrations } from './migrations/index.ts'
import type { Db } from './db.ts'

/** @throws AlmanacError org.newer_schema */
export function migrate(db: Db, path: string): void {
  refuseNewer(db, path)
  if (schemaOf(db) === migrations.length) return
  db.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    refuseNewer(db, path)
    for (const sql of migrations.slice(schemaOf(db))) db.exec(sql)
    db.pragma(`user_version = ${migrations.length}`)
  }).immediate()
}

function refuseNewer(db: Db, path: string): void {
  const schema = schemaOf(db)
  if (schema <= migrations.length) return
  throw new AlmanacError(
    'org.newer_schema',
    `${path} has schema ${schema}; this Almanac knows schemas up to ${migrations.length}. Open it with the Almanac that wrote it, or a newer one.`,
  )
}

function schemaOf(db: Db): number {
  return db.pragma('user_version', { simple: true }) as number
}
