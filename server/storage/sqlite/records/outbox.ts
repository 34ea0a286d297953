// The outbox: what is known of the delivery of each effect that is a call. The effect itself is beside it.
import type { ClaimRequest, OutboxRow, OutboxState, OutboxTransactor } from '../../../ports/outbox.ts'
import { all, one, type Db } from '../db.ts'
import { effectColumns, effectOf, type EffectRow } from './effects.ts'
import { limitStatements } from './limit-rows.ts'
import { purgeOutbox, removeRows } from './outbox-purge.ts'
import { outboxFacts } from './outbox-facts.ts'
import { listedColumns, outboxCount, outboxPage, outboxStates } from './outbox-list.ts'
import { outboxColumns, writeOutbox, type OutboxBody, type StoredOutbox } from './outbox-row.ts'

export function outboxStatements(db: Db): OutboxTransactor {
  const stored = (id: string): StoredOutbox | undefined =>
    one<StoredOutbox>(db, `SELECT ${outboxColumns} FROM record_outbox WHERE id = ?`, id)
  const rowOf = (row: StoredOutbox): OutboxRow => {
    const effect = one<EffectRow>(
      db,
      `SELECT ${effectColumns} FROM record_effect WHERE sequence = ?`,
      row.sequence,
    )
    // No job waited for the rows of earlier versions.
    const { job = null, ...body } = JSON.parse(row.body) as OutboxBody & { job?: string | null }
    return {
      ...body,
      job,
      ...{ id: row.id, credential: row.credential, state: row.state, nextAttemptAt: row.next_at },
      effect: effectOf(effect!),
    }
  }
  return {
    ...limitStatements(db),
    outboxRow: async (id) => {
      const row = stored(id)
      return row === undefined ? undefined : rowOf(row)
    },
    outboxRows: async (filter, limit, before) => {
      const range = before === undefined ? [] : ['o.sequence < @before']
      const { sql, parameters } = outboxPage(filter, range, 'DESC')
      return all<StoredOutbox>(db, sql, { ...parameters, before, limit }).map(rowOf)
    },
    outboxAfter: async (filter, { after, upTo, limit }) => {
      const range = ['o.sequence > @after', 'o.sequence <= @upTo']
      const { sql, parameters } = outboxPage(filter, range, 'ASC')
      return all<StoredOutbox>(db, sql, { ...parameters, after, upTo, limit }).map(rowOf)
    },
    outboxFacts: async () => outboxFacts(db),
    countOutbox: async (filter) =>
      Object.fromEntries(
        outboxStates.map((state) => {
          const { sql, parameters } = outboxCount(state, filter)
          return [state, one<{ count: number }>(db, sql, parameters)!.count]
        }),
      ) as Record<OutboxState, number>,
    nextOutboxAt: async () =>
      one<{ at: string | null }>(
        db,
        `${pendingCredentials} SELECT min(at) AS at FROM (
           SELECT (
             SELECT o.next_at FROM record_outbox o
             WHERE o.state = 'pending' AND o.credential = pending.credential AND ${isFirst}
             ORDER BY o.next_at LIMIT 1
           ) AS at FROM pending WHERE credential IS NOT NULL
           UNION ALL SELECT min(claimed_until) FROM record_outbox WHERE state = 'sending'
         )`,
      )!.at,
    claimOutbox: async (request) => claim(db, request).map(rowOf),
    waitingOutbox: async ({ credential, code, now }, limit) =>
      all<StoredOutbox>(
        db,
        `SELECT ${outboxColumns} FROM record_outbox WHERE state = 'pending' AND credential = @credential
         AND next_at > @now AND body ->> '$.problem.code' = @code ORDER BY sequence LIMIT @limit`,
        { credential, code, now, limit },
      ).map(rowOf),
    lapsedOutbox: async (now) =>
      all<StoredOutbox>(
        db,
        `SELECT ${outboxColumns} FROM record_outbox WHERE state = 'sending' AND claimed_until <= ? ORDER BY sequence`,
        now,
      ).map(rowOf),
    outboxClaim: async (id) => stored(id)?.claim ?? null,
    extendOutbox: async (id, token, until) => {
      const row = stored(id)
      if (row?.claim !== token) return false
      writeOutbox(db, { ...row, claimed_until: until })
      return true
    },
    putOutbox: async (row, token) => {
      const before = stored(row.id)
      if (before === undefined || before.claim !== token) return false
      const { correlationId, scopePath, prior, job, attempts, priorAttempts, problem, resolution, isErased } =
        row
      const isClaimed = row.state === 'sending'
      const body: OutboxBody = {
        correlationId,
        scopePath,
        prior,
        job,
        attempts,
        priorAttempts,
        problem,
        resolution,
        ...(isErased === true && { isErased }),
      }
      writeOutbox(db, {
        ...before,
        state: row.state,
        next_at: row.state === 'pending' ? row.nextAttemptAt : null,
        claim: isClaimed ? before.claim : null,
        claimed_until: isClaimed ? before.claimed_until : null,
        body: JSON.stringify(body),
      })
      return true
    },
    removeOutbox: async (id, token) => {
      const row = stored(id)
      if (row === undefined || row.claim !== token) return false
      removeRows(db, [row.sequence])
      return true
    },
    purgeOutbox: async (before, range) => purgeOutbox(db, before, range),
  }
}

/** Whether no older open row is of the same record and credential. Calls without a record wait for nothing. */
const isFirst = `(o.record = '' OR NOT EXISTS (
  SELECT 1 FROM record_outbox p WHERE p.state IN ('pending', 'sending')
  AND p.record = o.record AND p.credential = o.credential AND p.sequence < o.sequence
))`

/** Each credential of pending rows, found by a step in the index: there can be very many rows of each. */
const pendingCredentials = `WITH RECURSIVE pending (credential) AS (
  SELECT min(credential) FROM record_outbox WHERE state = 'pending'
  UNION ALL SELECT (
    SELECT min(o.credential) FROM record_outbox o WHERE o.state = 'pending' AND o.credential > pending.credential
  ) FROM pending WHERE credential IS NOT NULL
)`

function claim(db: Db, { now, until, token, limit, limits, defaultLimit }: ClaimRequest): StoredOutbox[] {
  const credentials = all<{ credential: string; at: string }>(
    db,
    `${pendingCredentials} SELECT * FROM (
       SELECT credential, (
         SELECT min(next_at) FROM record_outbox o
         WHERE o.state = 'pending' AND o.credential = pending.credential
       ) AS at FROM pending WHERE credential IS NOT NULL
     ) WHERE at <= ? ORDER BY at`,
    now,
  )
  const found: StoredOutbox[] = []
  for (const { credential } of credentials) {
    const { claimed } = one<{ claimed: number }>(
      db,
      `SELECT count(*) AS claimed FROM record_outbox WHERE state = 'sending' AND credential = ?`,
      credential,
    )!
    const room = Math.min((limits.get(credential) ?? defaultLimit) - claimed, limit - found.length)
    if (room > 0) found.push(...dueOf(db, credential, now, room))
  }
  return found.map((row) => {
    const claimed: StoredOutbox = {
      ...row,
      state: 'sending',
      next_at: null,
      claim: token,
      claimed_until: until,
    }
    writeOutbox(db, claimed)
    return claimed
  })
}

function dueOf(db: Db, credential: string, now: string, limit: number): StoredOutbox[] {
  return all<StoredOutbox>(
    db,
    `SELECT ${listedColumns} FROM record_outbox o
     WHERE o.state = 'pending' AND o.credential = @credential AND o.next_at <= @now
     AND ${isFirst}
     ORDER BY o.next_at, o.sequence LIMIT @limit`,
    { credential, now, limit },
  )
}
