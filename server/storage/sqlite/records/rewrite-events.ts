// Replaces erased values in platform events. The content of change events is in the history.
import type { RecordErasures } from '../../../ports/record-erasures.ts'
import { all, run, type Db } from '../db.ts'
import { eventDigest, type EventBody } from './event-rows.ts'
import type { EventRow } from './event-tables.ts'

type Rewrite = Parameters<RecordErasures['rewriteEvents']>[1]

export function rewriteEvents(db: Db, records: ReadonlySet<string>, rewrite: Rewrite): void {
  const columns = 'event_id, at, change, record, body, digest'
  const logged = all<Stored & { log: number; partition: number; sequence: number }>(
    db,
    `SELECT log, partition, sequence, ${columns} FROM record_event
     WHERE record IS NOT NULL AND record IN (SELECT value FROM json_each(?))`,
    aboutAny(db, 'record_event', records),
  )
  for (const row of logged) {
    const rewritten = rewriteRow(row, rewrite, [row.log, row.partition, row.sequence])
    if (rewritten === null) continue
    run(
      db,
      'UPDATE record_event SET body = ?, digest = ? WHERE log = ? AND partition = ? AND sequence = ?',
      ...[rewritten.body, rewritten.digest, row.log, row.partition, row.sequence],
    )
  }
  const waiting = all<Stored & { id: number; channel: string; hash: number }>(
    db,
    `SELECT id, channel, hash, ${columns} FROM record_event_outbox WHERE record IN (SELECT value FROM json_each(?))`,
    aboutAny(db, 'record_event_outbox', records),
  )
  for (const row of waiting) {
    const rewritten = rewriteRow(row, rewrite, [row.channel, row.hash])
    if (rewritten === null) continue
    const sql = 'UPDATE record_event_outbox SET body = ?, digest = ? WHERE id = ?'
    run(db, sql, rewritten.body, rewritten.digest, row.id)
  }
}

/** JSON of what rows about any of the records have as their records. */
function aboutAny(
  db: Db,
  table: 'record_event' | 'record_event_outbox',
  records: ReadonlySet<string>,
): string {
  // The index has all that is needed.
  const several = db
    .prepare<[], string>(
      `SELECT DISTINCT record FROM ${table} WHERE record IS NOT NULL AND instr(record, ' ') > 0`,
    )
    .pluck()
  const found = [...records]
  for (const ids of several.iterate()) if (ids.split(' ').some((id) => records.has(id))) found.push(ids)
  return JSON.stringify(found)
}

type Stored = EventRow & { digest: string }

/** Null if nothing changes. */
function rewriteRow(
  row: Stored,
  rewrite: Rewrite,
  place: readonly (string | number)[],
): { body: string; digest: string } | null {
  const before = JSON.parse(row.body!) as EventBody
  const body = JSON.stringify({ ...before, payload: rewrite(before.payload, before.sensitive) })
  if (body === row.body) return null
  return {
    body,
    digest: eventDigest(row, ...place) === row.digest ? eventDigest({ ...row, body }, ...place) : '',
  }
}
