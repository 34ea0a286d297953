// When clients last used fields, under which names.
import type { ObjectId } from '#kernel/records/index.ts'
import type { FieldUse } from '../../../ports/field-use.ts'
import { all, run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

export type UseRow = FieldUse

const columns = 'client, object, field, name, at'

export function usesOfClient(db: Db, client: string): FieldUse[] {
  return all<FieldUse>(
    db,
    `SELECT ${columns} FROM record_use WHERE client = ? ORDER BY object, field, name`,
    client,
  )
}

export function usesOfObject(db: Db, object: ObjectId): FieldUse[] {
  return all<FieldUse>(
    db,
    `SELECT ${columns} FROM record_use WHERE object = ? ORDER BY client, field, name`,
    object,
  )
}

export function noteUses(db: Db, uses: readonly FieldUse[]): void {
  for (const use of uses)
    run(
      db,
      `INSERT INTO record_use (client, object, field, name, at, digest)
       VALUES (@client, @object, @field, @name, @at, @digest)
       ON CONFLICT DO UPDATE SET at = excluded.at, digest = excluded.digest WHERE excluded.at > at`,
      { ...use, digest: useDigest(use) },
    )
}

export function useDigest({ client, object, field, name, at }: UseRow): string {
  return rowDigest(client, object, field, name, at)
}
