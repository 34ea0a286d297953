// Calls an invocable automation for a delivery, or goes on with the call of an earlier attempt.
import type { RecordTransactor } from '../../ports/record-store.ts'
import { callableOperation } from '../call/operations.ts'
import { continueForDelivery, startOperation, type CallReply } from '../call/operation-run.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { placeInBody, valueAt } from '#kernel/webhooks/index.ts'
import type { Dispatching } from './dispatching.ts'

/** @throws AlmanacError `operation.not_found`, `request.invalid`, `integration.outcome_unknown`, and those of its actions */
export function callForDelivery(
  deps: CommandDeps,
  tx: RecordTransactor,
  { command, delivery, body }: Dispatching,
  automation: string,
): Promise<CallReply> {
  const { generation, user, scopePath, correlationId, dispatch } = command
  if (delivery.run !== null)
    return continueForDelivery(deps, tx, { run: delivery.run, acceptsRepeat: delivery.acceptsRepeat })
  const access = deps.accessOf(user, generation, scopePath)
  const operation = callableOperation({ present: deps.snapshots.at(generation), access }, automation)
  const params = operation.params.map(({ key }) => [
    key,
    valueAt(body, placeInBody(key, dispatch.values)) ?? null,
  ])
  return startOperation(deps, tx, operation, {
    ...{ generation, user, scopePath, correlationId, idempotency: null, delivery: delivery.id },
    params: Object.fromEntries(params) as Record<string, unknown>,
    // The day on which it was received: a later attempt must not have a different one.
    asOf: operation.isDated ? delivery.receivedAt.slice(0, 10) : null,
  })
}
