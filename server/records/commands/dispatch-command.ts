// The dispatch of a delivery to a webhook endpoint as plain data, and its reply. What it does is committed together with the
// mark that it was done, so it is done once.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { readDeliveredBody } from '#kernel/webhooks/index.ts'
import type { Delivery, DeliveryResult } from '../../ports/deliveries.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { stepOperation, type CallReply } from '../call/operation-run.ts'
import { callForDelivery } from '../dispatch/call-for-delivery.ts'
import { noResult, type DispatchCommand } from '../dispatch/dispatching.ts'
import { publishFromDelivery } from '../dispatch/publish-from-delivery.ts'
import { upsertFromDelivery } from '../dispatch/upsert-from-delivery.ts'
import type { CallStepCommand } from './call-command.ts'
import type { CommandDeps } from './save-command.ts'

/** A callout of the operation that a delivery has called has ended. */
export type DispatchStepCommand = CallStepCommand & {
  delivery: Claimed
}

/** A delivery that a worker has claimed. */
interface Claimed {
  id: string
  token: string
}

export type { DispatchCommand } from '../dispatch/dispatching.ts'

export interface DispatchedReply {
  dispatched: DeliveryResult
}

export type DispatchReply = DispatchedReply | CallReply

/**
 * Runs a dispatch within a transaction. Nothing of it is left if it throws.
 * @throws AlmanacError `conflict.delivery_state` if the claim was lost; `webhook.body`, `operation.not_found`, `record.*`,
 * `limit.save_*`, `integration.outcome_unknown`, `storage.*`
 */
export function runDispatch(
  deps: CommandDeps,
  tx: RecordTransactor,
  command: DispatchCommand,
): Promise<DispatchReply> {
  return tx.savepoint(async () => {
    const delivery = await claimed(tx, command.delivery, command.token)
    const content = await tx.deliveryBody(delivery.id)
    if (content === undefined)
      throw new AlmanacError('webhook.body', 'The body of the delivery is not stored any more.')
    const reading = readDeliveredBody(content)
    if (!reading.ok) throw new AlmanacError('webhook.body', reading.message)
    const dispatching = { command, delivery, body: reading.body }
    const claim: Claimed = { id: delivery.id, token: command.token }
    const { automation, upsert, publishTo } = command.dispatch
    if (upsert !== undefined) {
      const result = await upsertFromDelivery(deps, tx, dispatching, upsert)
      await finish(deps, tx, claim, { delivery, result })
      return { dispatched: result }
    }
    if (automation !== undefined) {
      const reply = await callForDelivery(deps, tx, dispatching, automation)
      return afterCall(deps, tx, claim, reply)
    }
    const result = await publishFromDelivery(deps, tx, dispatching, publishTo!)
    await finish(deps, tx, claim, { delivery, result })
    return { dispatched: result }
  })
}

/** @throws AlmanacError `conflict.delivery_state`, and as `stepOperation` */
export function runDispatchStep(
  deps: CommandDeps,
  tx: RecordTransactor,
  { delivery, ...step }: DispatchStepCommand,
): Promise<DispatchReply> {
  return tx.savepoint(async () => {
    await claimed(tx, delivery.id, delivery.token)
    return afterCall(deps, tx, delivery, await stepOperation(deps, tx, step))
  })
}

/** The operation has ended, or waits for a callout: then a later attempt goes on with it. */
async function afterCall(
  deps: CommandDeps,
  tx: RecordTransactor,
  claim: Claimed,
  reply: CallReply,
): Promise<DispatchReply> {
  const delivery = await claimed(tx, claim.id, claim.token)
  if ('ran' in reply) {
    const result = { ...noResult, operation: reply.operation }
    await finish(deps, tx, claim, { delivery, result })
    return { dispatched: result }
  }
  if ('callout' in reply && delivery.run !== reply.run)
    await tx.putDelivery({ ...delivery, run: reply.run }, claim.token)
  return reply
}

async function claimed(tx: RecordTransactor, id: string, token: string): Promise<Delivery> {
  const delivery = await tx.delivery(id)
  if (delivery !== undefined && (await tx.deliveryClaim(id)) === token) return delivery
  throw new AlmanacError('conflict.delivery_state', 'Another process has taken over the delivery.')
}

async function finish(
  { clock, ids }: CommandDeps,
  tx: RecordTransactor,
  { token }: Claimed,
  { delivery, result }: { delivery: Delivery; result: DeliveryResult },
): Promise<void> {
  const at = clock.now()
  const { attempts, receivedAt } = delivery
  const n = attempts.length + 1
  const done: Delivery = {
    ...delivery,
    ...{ state: 'dispatched', dispatchedAt: at, result, problem: null, run: null, nextAttemptAt: null },
    attempts: [...attempts, { n, at, durationMs: null, error: null }],
  }
  await tx.putDelivery(done, token)
  await tx.appendTrace([
    {
      ...{ id: ids.uuid(), kind: 'receipt', at: receivedAt, correlationId: delivery.correlationId },
      ...{
        subject: `webhook_endpoint/${delivery.endpointKey}`,
        record: result.record,
        actor: null,
        isFailed: false,
      },
      durationMs: Math.max(0, Date.parse(at) - Date.parse(receivedAt)),
      facts: { delivery: delivery.id, attempts: n, operation: result.operation, event: result.event },
    },
  ])
}
