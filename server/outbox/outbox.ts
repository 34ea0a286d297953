// The outbox for operators: what waits, what is dead and why, and what they do about it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OutboxRowView } from '#wire/outbox.ts'
import type { Actor, AuditFact } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { RecordEffect } from '../ports/record-change.ts'
import type { OutboxFacts, OutboxFilter, OutboxReader, OutboxRow, OutboxState } from '../ports/outbox.ts'
import { maxReleased, type OutboxWrites } from './outbox-writes.ts'

export interface OutboxDeps {
  read<T>(work: (reader: OutboxReader) => Promise<T>): Promise<T>
  /** Whether the outbox has, or had, rows: otherwise the records are not opened. */
  isUsed(): boolean
  writes: OutboxWrites
  clock: Clock
  audit(by: Actor, fact: AuditFact): Promise<void>
}

export interface OutboxPage {
  rows: OutboxRowView[]
  counts: Record<OutboxState, number>
  /** After which the next page begins; null on the last one. */
  next: number | null
}

export interface Outbox {
  list(filter: OutboxFilter, page: { limit: number; before?: number | undefined }): Promise<OutboxPage>
  /** Sends what the breaker of a named credential has held up, once it is closed. */
  release(credential: string): Promise<void>
  /** What metrics show. */
  facts(): Promise<OutboxFacts>
  /** @throws AlmanacError `outbox.not_found` */
  get(id: string): Promise<{ row: OutboxRowView; effect: RecordEffect }>
  /** Sends a dead row again, with its key. @throws AlmanacError `outbox.not_found`, `conflict.outbox_state`, `outbox.not_repeatable` */
  requeue(by: Actor, id: string, acceptRepeat: boolean): Promise<void>
  /** @throws AlmanacError `outbox.not_found`, `conflict.outbox_state` */
  close(by: Actor, id: string, state: 'resolved' | 'discarded', reason: string): Promise<void>
}

const noCounts: Record<OutboxState, number> = { pending: 0, sending: 0, dead: 0, resolved: 0, discarded: 0 }

export function createOutbox({ read, isUsed, writes, clock, audit }: OutboxDeps): Outbox {
  const require = async (id: string): Promise<OutboxRow> => {
    const row = isUsed() ? await read((reader) => reader.outboxRow(id)) : undefined
    if (row !== undefined) return row
    throw new AlmanacError(
      'outbox.not_found',
      `The outbox has no row "${id}". A row is removed when its call is delivered; the trace has the delivery.`,
    )
  }
  const requireDead = async (id: string): Promise<OutboxRow> => {
    const row = await require(id)
    if (row.state === 'dead') return row
    throw new AlmanacError(
      'conflict.outbox_state',
      `The row is ${row.state}. Only a dead row is requeued, resolved or discarded.`,
    )
  }
  const note = (by: Actor, row: OutboxRow, kind: string, reason: string): Promise<void> => {
    const { credential, effect } = row
    return audit(by, {
      ...{ component: `outbox/${row.id}`, kind, rationale: reason },
      before: { state: row.state, credential, record: effect.record, problem: row.problem?.code ?? null },
      after: null,
    })
  }
  return {
    list: async (filter, { limit, before }) => {
      if (!isUsed()) return { rows: [], counts: noCounts, next: null }
      return read(async (reader) => {
        const rows = await reader.outboxRows(filter, limit + 1, before)
        const page = rows.slice(0, limit)
        const next = rows.length > limit ? page.at(-1)!.effect.sequence : null
        const { states: _states, ...others } = filter
        return { rows: page.map(viewOf), counts: await reader.countOutbox(others), next }
      })
    },
    release: async (credential) => {
      const at = clock.now()
      while (isUsed() && (await writes.release({ credential, at })) === maxReleased);
    },
    facts: async () =>
      isUsed() ? read((reader) => reader.outboxFacts()) : { counts: noCounts, oldestAt: null },
    get: async (id) => {
      const row = await require(id)
      return { row: viewOf(row), effect: row.effect }
    },
    requeue: async (by, id, acceptRepeat) => {
      const row = await requireDead(id)
      const { requeued, unrepeatable } = await writes.requeue({
        ...{ ids: [id], acceptRepeat, by: by.actor, at: clock.now() },
      })
      if (unrepeatable > 0)
        throw new AlmanacError(
          'outbox.not_repeatable',
          'The target may have carried out the call, and its author does not declare a key for repetitions. Check the target; then send it again with "acceptRepeat": true, or resolve it.',
        )
      if (requeued === 0) await requireDead(id)
      await note(by, row, 'outbox.requeued', '')
    },
    close: async (by, id, state, reason) => {
      const row = await requireDead(id)
      const closed = await writes.close({ ids: [id], state, by: by.actor, at: clock.now(), reason })
      if (closed === 0) await requireDead(id)
      await note(by, row, `outbox.${state}`, reason)
    },
  }
}

/** Without what the call sends, which can come from fields that the caller cannot see. */
function viewOf({ effect, ...row }: OutboxRow): OutboxRowView {
  const { method, path, operation } = effect.body as { method?: string; path?: string; operation?: string }
  return {
    ...{ id: row.id, state: row.state, credential: row.credential, correlationId: row.correlationId },
    ...{ method: method ?? null, path: path ?? null, operation: operation ?? null },
    ...{ automation: effect.automation, action: effect.action, record: effect.record || null },
    ...{ waits: row.job !== null, actor: effect.actor, generation: effect.generation, createdAt: effect.at },
    ...{ attempts: [...row.attempts], priorAttempts: row.priorAttempts },
    ...{ nextAttemptAt: row.nextAttemptAt, problem: row.problem, resolution: row.resolution },
  }
}
