// What operators do with dead deliveries, within a transaction: dispatch them again, or close them.
import type { NoteInTransaction } from '../outbox/index.ts'
import type { Delivery } from '../ports/deliveries.ts'
import type { RecordTransactor } from '../ports/record-store.ts'
import { handledEvent } from './trace-events.ts'

export interface Discarding {
  ids: readonly string[]
  by: string
  at: string
  reason: string
}

export interface DeliveryRequeueing {
  ids: readonly string[]
  /** Whether a callout is repeated of which it is not known whether it was carried out. */
  acceptRepeat: boolean
  by: string
  at: string
}

export interface DeliveryRequeueResult {
  requeued: number
  /** Deliveries that are dispatched again only if a repetition is accepted. */
  unrepeatable: number
}

/** Whether the target of a callout may have carried it out, and could carry it out again. */
export const repeatsCallout = ({ problem, run }: Delivery): boolean =>
  run !== null && problem?.code === 'integration.outcome_unknown'

export async function requeueDeliveries(
  note: NoteInTransaction,
  tx: RecordTransactor,
  { ids, acceptRepeat, by, at }: DeliveryRequeueing,
): Promise<DeliveryRequeueResult> {
  const result = { requeued: 0, unrepeatable: 0 }
  for (const id of ids) {
    const delivery = await tx.delivery(id)
    if (delivery?.state !== 'dead') continue
    if (!acceptRepeat && repeatsCallout(delivery)) {
      result.unrepeatable += 1
      continue
    }
    await tx.putDelivery(
      {
        ...{ ...delivery, state: 'pending', nextAttemptAt: at, problem: null, acceptsRepeat: acceptRepeat },
        priorAttempts: delivery.attempts.length,
      },
      null,
    )
    await note(tx, handledEvent(delivery, { as: 'requeued', by, at }))
    result.requeued += 1
  }
  return result
}

/** Returns how many were discarded. */
export async function discardDeliveries(
  note: NoteInTransaction,
  tx: RecordTransactor,
  { ids, by, at, reason }: Discarding,
): Promise<number> {
  let discarded = 0
  for (const id of ids) {
    const delivery = await tx.delivery(id)
    if (delivery?.state !== 'dead') continue
    // Its operation does not go on.
    if (delivery.run !== null) await tx.removeJob(delivery.run)
    await tx.putDelivery({ ...delivery, state: 'discarded', run: null, resolution: { at, by, reason } }, null)
    await note(tx, handledEvent(delivery, { as: 'discarded', by, at }))
    discarded += 1
  }
  return discarded
}
