// Replaces erased values in the history, the effects, their calls and the kept replies. A row that was not intact before is not
// intact afterwards.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import { emptyReply, type RecordErasures } from '../../../ports/record-erasures.ts'
import type { OutboxProblem } from '../../../ports/outbox.ts'
import type { RecordChange, RecordEffect } from '../../../ports/record-store.ts'
import { all, run, type Db } from '../db.ts'
import { changeDigest, changeOf, changeRows, fieldsText, type ChangeRow } from './changes.ts'
import { effectDigest, type EffectRow } from './effects.ts'
import { rewriteEvents } from './rewrite-events.ts'
import { rewriteIngests } from './rewrite-ingests.ts'
import { outboxColumns, outboxDigest, type OutboxBody, type StoredOutbox } from './outbox-row.ts'
import { replyDigest, type ReplyRow } from './replies.ts'

type Digested<T> = T & { digest: string }

interface ErasureParts {
  /** Writes what is appended and not written yet. */
  flush(): void
  /** Called once the history was changed. */
  forget(): void
}

export function erasureStatements(db: Db, { flush, forget }: ErasureParts): RecordErasures {
  return {
    referredEver: async (object, reference, to) => {
      flush()
      return referredEver(db, object, reference, to)
    },
    rewriteHistory: async (object, record, rewrite) => {
      flush()
      const changed = rewriteHistory(db, changeRows(db, object, record), rewrite)
      forget()
      return changed
    },
    rewriteEffects: async (records, rewrite) => rewriteEffects(db, records, rewrite),
    rewriteEvents: async (records, rewrite) => {
      flush()
      rewriteEvents(db, records, rewrite)
    },
    rewriteOutbox: async (records, rewrite) => rewriteOutbox(db, records, rewrite),
    rewriteIngests: async (records, rewrite) => rewriteIngests(db, records, rewrite),
    emptyReplies: async (condition) => emptyReplies(db, condition),
  }
}

/** Reads the changes of all records of the object. */
function referredEver(db: Db, object: ObjectId, reference: FieldId, to: readonly string[]): string[] {
  const rows = all<{ record: string }>(
    db,
    `SELECT DISTINCT record FROM record_change, json_each(record_change.fields) AS entry
     WHERE object = ? AND instr(record_change.fields, ?) > 0 AND json_extract(entry.value, '$[0]') = ?
     AND json_extract(entry.value, '$[2]') IN (SELECT value FROM json_each(?))`,
    object,
    // Few changes contain the text of one id, which is faster to find than its place. Any change contains an empty text.
    to.length === 1 ? to[0] : '',
    reference,
    JSON.stringify(to),
  )
  return rows.map(({ record }) => record)
}

function rewriteHistory(
  db: Db,
  rows: readonly Digested<ChangeRow>[],
  rewrite: (change: RecordChange) => RecordChange['fields'],
): number {
  let changed = 0
  let [before, next] = ['', '']
  for (const row of rows) {
    const isIntact = changeDigest(before, row) === row.digest
    const change = changeOf(row)
    const fields = fieldsText({ fields: rewrite(change), bindings: change.bindings })
    if (fields !== row.fields) changed += 1
    before = row.digest
    next = isIntact ? changeDigest(next, { ...row, fields }) : ''
    if (next === row.digest) continue
    const sql = 'UPDATE record_change SET fields = ?, digest = ? WHERE sequence = ?'
    run(db, sql, fields, next, row.sequence)
  }
  return changed
}

function rewriteEffects(
  db: Db,
  records: ReadonlySet<string>,
  rewrite: (body: RecordEffect['body']) => RecordEffect['body'],
): void {
  const rows = all<Digested<EffectRow>>(
    db,
    `SELECT sequence, kind, automation, action, record, version, generation, actor, at, body, deferred, digest
     FROM record_effect WHERE substr(record, instr(record, '/') + 1) IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...records]),
  )
  for (const row of rows) {
    const body = JSON.stringify(rewrite(JSON.parse(row.body) as RecordEffect['body']))
    if (body === row.body) continue
    const digest = effectDigest(row) === row.digest ? effectDigest({ ...row, body }) : ''
    run(db, 'UPDATE record_effect SET body = ?, digest = ? WHERE sequence = ?', body, digest, row.sequence)
  }
}

function rewriteOutbox(
  db: Db,
  records: ReadonlySet<string>,
  rewrite: (text: string, isOfRecord: boolean) => string,
): void {
  for (const row of all<Digested<StoredOutbox>>(db, `SELECT ${outboxColumns}, digest FROM record_outbox`)) {
    const isOfRecord = records.has(row.record.slice(row.record.indexOf('/') + 1))
    const before = JSON.parse(row.body) as OutboxBody
    const { problem, attempts, resolution } = before
    const rewritten = <T extends OutboxProblem | null>(each: T): T =>
      each === null ? each : { ...each, detail: rewrite(each.detail, isOfRecord) }
    const after: OutboxBody = {
      ...before,
      problem: rewritten(problem),
      attempts: attempts.map((each) => ({ ...each, error: rewritten(each.error) })),
      resolution:
        resolution === null ? null : { ...resolution, reason: rewrite(resolution.reason, isOfRecord) },
      ...(isOfRecord && row.state === 'sending' && { isErased: true }),
    }
    const body = JSON.stringify(after)
    if (body === row.body) continue
    const digest = outboxDigest(row) === row.digest ? outboxDigest({ ...row, body }) : ''
    run(db, 'UPDATE record_outbox SET body = ?, digest = ? WHERE sequence = ?', body, digest, row.sequence)
  }
}

function emptyReplies(db: Db, condition: (reply: string) => boolean): void {
  for (const row of all<Digested<ReplyRow>>(
    db,
    'SELECT caller, key, request, at, reply, digest FROM record_reply',
  )) {
    if (!condition(row.reply)) continue
    const isIntact = replyDigest(row) === row.digest
    const digest = isIntact ? replyDigest({ ...row, reply: emptyReply }) : ''
    const sql = 'UPDATE record_reply SET reply = ?, digest = ? WHERE caller = ? AND key = ?'
    run(db, sql, emptyReply, digest, row.caller, row.key)
  }
}
