// What automations leave for after the commit.
import type { RecordEffect } from '../../../ports/record-store.ts'
import { all, run, type Db } from '../db.ts'

interface EffectRow extends Omit<RecordEffect, 'body' | 'deferred'> {
  sequence: number
  body: string
  deferred: string
}

export function appendEffect(db: Db, { body, deferred, ...effect }: RecordEffect): void {
  run(
    db,
    `INSERT INTO record_effect (kind, automation, action, record, version, generation, actor, at, body, deferred)
     VALUES (@kind, @automation, @action, @record, @version, @generation, @actor, @at, @body, @deferred)`,
    { ...effect, body: JSON.stringify(body), deferred: JSON.stringify(deferred) },
  )
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
