// How many calls are in each state, and since when: read from indexes alone, because metrics ask often.
import type { OutboxFacts, OutboxState } from '../../../ports/outbox.ts'
import { one, type Db } from '../db.ts'
import { outboxCount, outboxStates } from './outbox-list.ts'

export function outboxFacts(db: Db): OutboxFacts {
  const count = (state: OutboxState): number => {
    const { sql, parameters } = outboxCount(state, {})
    return one<{ count: number }>(db, sql, parameters)!.count
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
