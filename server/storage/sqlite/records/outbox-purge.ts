// Removes rows of the outbox with their effects: delivered ones, and closed ones after their time.
import type { OutboxState, OutboxTransactor } from '../../../ports/outbox.ts'
import { all, run, type Db } from '../db.ts'

/** Dead rows stay until a user deals with them. */
const closedStates: readonly OutboxState[] = ['resolved', 'discarded']

export function purgeOutbox(
  db: Db,
  before: string,
  { after, limit }: { after: number; limit: number },
): Awaited<ReturnType<OutboxTransactor['purgeOutbox']>> {
  const rows = closedStates
    .flatMap((state) =>
      all<{ sequence: number; at: string }>(
        db,
        `SELECT sequence, body ->> '$.resolution.at' AS at FROM record_outbox
         WHERE state = ? AND state NOT IN ('pending', 'sending') AND sequence > ? ORDER BY sequence LIMIT ?`,
        ...[state, after, limit],
      ),
    )
    .sort((a, b) => a.sequence - b.sequence)
    .slice(0, limit)
  const old = rows.filter(({ at }) => at < before).map(({ sequence }) => sequence)
  removeRows(db, old)
  return { removed: old.length, last: rows.at(-1)?.sequence ?? null }
}

/** The number of a removed effect is not used again. */
export function removeRows(db: Db, sequences: readonly number[]): void {
  if (sequences.length === 0) return
  run(db, 'UPDATE record_org SET effect = max(effect, ?)', Math.max(...sequences))
  const list = JSON.stringify(sequences)
  run(db, 'DELETE FROM record_outbox WHERE sequence IN (SELECT value FROM json_each(?))', list)
  run(db, 'DELETE FROM record_effect WHERE sequence IN (SELECT value FROM json_each(?))', list)
}
