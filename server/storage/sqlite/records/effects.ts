// What automations leave for after the commit.
import type { RecordEffect } from '../../../ports/record-store.ts'
import { all, one, run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

export interface EffectRow extends Omit<RecordEffect, 'body' | 'deferred'> {
  sequence: number
  body: string
  deferred: string
}

export function appendEffect(db: Db, { body, deferred, ...effect }: RecordEffect): void {
  const last = one<{ last: number | null }>(db, 'SELECT max(sequence) AS last FROM record_effect')?.last ?? 0
  const row = {
    sequence: last + 1,
    ...effect,
    body: JSON.stringify(body),
    deferred: JSON.stringify(deferred),
  }
  run(
    db,
    `INSERT INTO record_effect (sequence, kind, automation, action, record, version, generation, actor, at, body, deferred, digest)
     VALUES (@sequence, @kind, @automation, @action, @record, @version, @generation, @actor, @at, @body, @deferred, @digest)`,
    { ...row, digest: effectDigest(row) },
  )
}

export function effectDigest(row: EffectRow): string {
  const { sequence, kind, automation, action, record, version, generation, actor, at, body, deferred } = row
  return rowDigest(sequence, kind, automation, action, record, version, generation, actor, at, body, deferred)
}

export function readEffects(db: Db, after: number, limit: number): (RecordEffect & { sequence: number })[] {
  const rows = all<EffectRow>(
    db,
    `SELECT sequence, kind, automation, action, record, version, generation, actor, at, body, deferred
     FROM record_effect WHERE sequence > ? ORDER BY sequence LIMIT ?`,
    after,
    limit,
  )
  return rows.map(({ body, deferred, ...row }) => ({
    ...row,
    body: JSON.parse(body) as Record<string, unknown>,
    deferred: JSON.parse(deferred) as string[],
  }))
}
