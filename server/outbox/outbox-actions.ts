// Actions of operators over all dead rows of a filter: counted first, then run as a job. The audit names the filter and the
// counts once, and each row that is discarded.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Actor, AuditFact } from '../access/index.ts'
import type { OutboxFilter, OutboxReader } from '../ports/outbox.ts'
import type { OutboxAction } from '../ports/record-jobs.ts'
import { needsAcceptance } from './handle-rows.ts'
import type { OutboxWrites } from './outbox-writes.ts'

export interface OutboxActionRequest extends Pick<OutboxAction, 'action' | 'acceptRepeat' | 'reason'> {
  filter: Omit<OutboxFilter, 'states' | 'hasFailed'>
}

export interface OutboxCount {
  /** Dead rows of the filter. */
  rows: number
  /** Of these, the ones that are sent again only if their repetition is accepted. */
  unrepeatable: number
}

export interface OutboxActions {
  count(filter: OutboxActionRequest['filter']): Promise<OutboxCount>
  /** @returns the job; null without rows. @throws AlmanacError `request.invalid` for a discard without a reason */
  start(by: Actor, request: OutboxActionRequest): Promise<OutboxCount & { job: string | null }>
}

export interface OutboxActionDeps {
  read<T>(work: (reader: OutboxReader) => Promise<T>): Promise<T>
  isUsed(): boolean
  writes: Pick<OutboxWrites, 'startJob'>
  audit(by: Actor, fact: AuditFact): Promise<void>
}

/** Rows that are read at once: other readers come in between. */
const partSize = 500

export function createOutboxActions(deps: OutboxActionDeps): OutboxActions {
  const { read, isUsed, audit } = deps

  const count = async (filter: OutboxActionRequest['filter']): Promise<OutboxCount & { upTo: number }> => {
    const counted = { rows: 0, unrepeatable: 0, upTo: 0 }
    if (!isUsed()) return counted
    for (;;) {
      const range = { after: counted.upTo, upTo: Number.MAX_SAFE_INTEGER, limit: partSize }
      const rows = await read((reader) => reader.outboxAfter({ ...filter, states: ['dead'] }, range))
      counted.rows += rows.length
      counted.unrepeatable += rows.filter(needsAcceptance).length
      counted.upTo = rows.at(-1)?.effect.sequence ?? counted.upTo
      if (rows.length < partSize) return counted
    }
  }
  return {
    count: async (filter) => {
      const { rows, unrepeatable } = await count(filter)
      return { rows, unrepeatable }
    },
    start: async (by, { filter, action, acceptRepeat, reason }) => {
      if (action === 'discard' && reason === '')
        throw new AlmanacError('request.invalid', 'A discard needs a reason, which is kept in the audit.')
      const { rows, unrepeatable, upTo } = await count(filter)
      if (rows === 0) return { rows, unrepeatable, job: null }
      const { actor, correlationId } = by
      const named = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
      await audit(by, {
        ...{ component: 'outbox', kind: `outbox.${pastOf[action]}`, rationale: reason },
        ...{ before: { filter: named, rows, unrepeatable, acceptRepeat }, after: null },
      })
      const job = await deps.writes.startJob({
        ...{ createdBy: actor, correlationId, total: rows },
        outbox: { action, filter: named, upTo, acceptRepeat, reason, discarded: [] },
      })
      return { rows, unrepeatable, job: job.id }
    },
  }
}

const pastOf = { requeue: 'requeued', resolve: 'resolved', discard: 'discarded' } as const
