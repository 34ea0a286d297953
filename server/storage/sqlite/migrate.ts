// Migrates a file to the schema of this Almanac, each step in one transaction; a newer file is refused unchanged.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { one, type Db } from './db.ts'
import { migrations, type Migration } from './migrations/index.ts'
import { findBrokenSeals, resealAll } from './seals.ts'
import { transaction } from './transaction.ts'

/** @throws AlmanacError org.newer_schema, storage.full, storage.read_only, storage.damaged */
export function migrate(db: Db, path: string): void {
  refuseNewer(db, path)
  if (schemaOf(db) === migrations.length) return
  transaction(db, 'BEGIN IMMEDIATE', () => {
    // Another process may have migrated while this one waited for the lock.
    refuseNewer(db, path)
    // Earlier alterations must stay detectable.
    const broken = hasSeals(db) ? findBrokenSeals(db) : []
    for (const step of migrations.slice(schemaOf(db))) runMigration(db, step)
    resealAll(db, broken)
    db.pragma(`user_version = ${migrations.length}`)
  })
}

function runMigration(db: Db, step: Migration): void {
  if (typeof step === 'string') db.exec(step)
  else step(db)
}

function hasSeals(db: Db): boolean {
  return one(db, `SELECT 1 FROM sqlite_schema WHERE name = 'seal'`) !== undefined
}

function refuseNewer(db: Db, path: string): void {
  const schema = schemaOf(db)
  if (schema <= migrations.length) return
  throw new AlmanacError(
    'org.newer_schema',
    `${path} has schema ${schema}; this Almanac supports schemas up to ${migrations.length}. Open it with the Almanac that wrote it, or a newer one.`,
  )
}

function schemaOf(db: Db): number {
  return db.pragma('user_version', { simple: true }) as number
}
