// The identities of the fields of objects, from each version of the object on. For stored objects, they follow from the
// versions that are still there.
import type { Db } from '../db.ts'
import { writeObjectFields, type WrittenObject } from '../object-fields.ts'

export function objectFields(db: Db): void {
  db.exec(`
    CREATE TABLE object_fields (
      object TEXT NOT NULL,
      from_gen INTEGER NOT NULL,
      fields TEXT NOT NULL,
      PRIMARY KEY (object, from_gen)
    ) STRICT, WITHOUT ROWID;
  `)
  for (const [generation, rows] of Map.groupBy(versions(db), ({ from_gen }) => from_gen))
    writeObjectFields(
      db,
      generation,
      rows.map(({ json }) => JSON.parse(json) as WrittenObject),
    )
}

function versions(db: Db): { from_gen: number; json: string }[] {
  const sql = `SELECT p.from_gen, c.json FROM placement p JOIN content c ON c.digest = p.digest
    WHERE p.type = 'object' ORDER BY p.from_gen, p.key`
  return db.prepare(sql).all() as { from_gen: number; json: string }[]
}
