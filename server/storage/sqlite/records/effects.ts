// What automations leave for after the commit.
import type { OutboundCall } from '../../../ports/outbox.ts'
import type { RecordEffect } from '../../../ports/record-store.ts'
import { all, one, run, type Db } from '../db.ts'
import { insertOutbox } from './outbox-row.ts'
import { rowDigest } from './row-digest.ts'

export const effectColumns =
  'sequence, kind, automation, action, record, version, generation, actor, at, body, deferred'

export interface EffectRow extends Omit<RecordEffect, 'body' | 'deferred'> {
  sequence: number
  body: string
  deferred: string
}

/** @param call of an effect that is to be sent */
export function appendEffect(db: Db, { body, deferred, ...effect }: RecordEffect, call?: OutboundCall): void {
  const { last } = one<{ last: number }>(
    db,
    'SELECT max(effect, coalesce((SELECT max(sequence) FROM record_effect), 0)) AS last FROM record_org',
  )!
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
  if (call !== undefined) insertOutbox(db, row.sequence, { ...effect, body, deferred }, call)
}

export function effectDigest(row: EffectRow): string {
  const { sequence, kind, automation, action, record, version, generation, actor, at, body, deferred } = row
  return rowDigest(sequence, kind, automation, action, record, version, generation, actor, at, body, deferred)
}

export function readEffects(db: Db, after: number, limit: number): (RecordEffect & { sequence: number })[] {
  const rows = all<EffectRow>(
    db,
    `SELECT ${effectColumns}
     FROM record_effect WHERE sequence > ? ORDER BY sequence LIMIT ?`,
    after,
    limit,
  )
  return rows.map(effectOf)
}

export function effectOf({ body, deferred, ...row }: EffectRow): RecordEffect & { sequence: number } {
  return {
    ...row,
    body: JSON.parse(body) as Record<string, unknown>,
    deferred: JSON.parse(deferred) as string[],
  }
}
