// How many calls are in each state, and since when: read from indexes alone, because metrics ask often.
import type { OutboxFacts, OutboxState } from '../../../ports/outbox.ts'
import { one, type Db } from '../db.ts'

/** The states as text in the statement, so that each count reads the index of its state. */
const conditions: Readonly<Record<OutboxState, string>> = {
  pending: `state = 'pending'`,
  sending: `state = 'sending'`,
  dead: `state = 'dead' AND state NOT IN ('pending', 'sending')`,
  resolved: `state = 'resolved' AND state NOT IN ('pending', 'sending')`,
  discarded: `state = 'discarded' AND state NOT IN ('pending', 'sending')`,
}

export const outboxStates = Object.keys(conditions) as OutboxState[]

export function outboxFacts(db: Db): OutboxFacts {
  const count = (state: OutboxState): number => {
    const sql = `SELECT count(*) AS count FROM record_outbox WHERE ${conditions[state]}`
    return one<{ count: number }>(db, sql)!.count
  }
  const oldest = one<{ at: string }>(
    db,
    `SELECT at FROM record_effect WHERE sequence =
     (SELECT min(sequence) FROM record_outbox WHERE state IN ('pending', 'sending'))`,
  )
  return {
    counts: Object.fromEntries(outboxStates.map((state) => [state, count(state)])) as OutboxFacts['counts'],
    oldestAt: oldest?.at ?? null,
  }
}
