// Actions of operators over all dead deliveries of a filter: counted first, then run as a job. The audit names the filter and
// the counts once, and each delivery that is discarded.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Actor, AuditFact } from '../access/index.ts'
import type { DeliveryReader } from '../ports/deliveries.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { DeliveryAction } from '../ports/record-jobs.ts'
import { filterByIdentity, type NamedDeliveryFilter } from './deliveries.ts'
import type { DeliveryWrites } from './delivery-writes.ts'
import { repeatsCallout } from './handle-deliveries.ts'

export interface DeliveryActionRequest extends Pick<DeliveryAction, 'action' | 'acceptRepeat' | 'reason'> {
  filter: Omit<NamedDeliveryFilter, 'states' | 'hasFailed'>
}

export interface DeliveryCount {
  /** Dead deliveries of the filter. */
  rows: number
  /** Of these, the ones that are dispatched again only if a repeated callout is accepted. */
  unrepeatable: number
}

export interface DeliveryActions {
  count(filter: DeliveryActionRequest['filter']): Promise<DeliveryCount>
  /** @returns the job; null without deliveries. @throws AlmanacError `request.invalid` for a discard without a reason */
  start(by: Actor, request: DeliveryActionRequest): Promise<DeliveryCount & { job: string | null }>
}

export interface DeliveryActionDeps {
  read<T>(work: (reader: DeliveryReader) => Promise<T>): Promise<T>
  isUsed(): boolean
  org: Pick<OrgStore, 'read'>
  writes: Pick<DeliveryWrites, 'startJob'>
  audit(by: Actor, fact: AuditFact): Promise<void>
}

/** Deliveries that are read at once: other readers come in between. */
const partSize = 500
/** After every id. */
const end = '\uffff'

export function createDeliveryActions({
  read,
  isUsed,
  org,
  writes,
  audit,
}: DeliveryActionDeps): DeliveryActions {
  const count = async (
    filter: DeliveryActionRequest['filter'],
  ): Promise<DeliveryCount & { upTo: string }> => {
    const counted = { rows: 0, unrepeatable: 0, upTo: '' }
    const named = filterByIdentity(org, filter)
    if (!isUsed() || named === null) return counted
    for (;;) {
      const range = { after: counted.upTo, upTo: end, limit: partSize }
      const found = await read((reader) => reader.deliveriesAfter({ ...named, states: ['dead'] }, range))
      counted.rows += found.length
      counted.unrepeatable += found.filter(repeatsCallout).length
      counted.upTo = found.at(-1)?.id ?? counted.upTo
      if (found.length < partSize) return counted
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
      await audit(by, {
        ...{ component: 'delivery', kind: `delivery.${pastOf[action]}`, rationale: reason },
        ...{ before: { filter: present(filter), rows, unrepeatable, acceptRepeat }, after: null },
      })
      const job = await writes.startJob({
        ...{ createdBy: actor, correlationId, total: rows },
        deliveries: {
          ...{ action, filter: present(filterByIdentity(org, filter)!), upTo, acceptRepeat, reason },
          discarded: [],
        },
      })
      return { rows, unrepeatable, job: job.id }
    },
  }
}

const present = <T extends object>(filter: T): T =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T

const pastOf = { requeue: 'requeued', discard: 'discarded' } as const
