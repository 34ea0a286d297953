// Creates or changes the record of a delivery, through the whole save order.
import type { WebhookEndpointBody } from '#kernel/components/webhook-endpoint/body.ts'
import type { DeliveryResult } from '../../ports/deliveries.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { resolveItem } from '../commands/command-item.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { saveItem } from '../save/save-item.ts'
import { saveContexts } from '../saves.ts'
import { deliveredValues, requireValue } from './delivered-values.ts'
import { noResult, type Dispatching } from './dispatching.ts'

type Upsert = NonNullable<WebhookEndpointBody['dispatch']['upsert']>

/** @throws AlmanacError `webhook.body`, and those of a save */
export async function upsertFromDelivery(
  deps: CommandDeps,
  tx: RecordTransactor,
  { command, body }: Dispatching,
  { object, externalId, values }: Upsert,
): Promise<DeliveryResult> {
  const { generation, user: actor, scopePath, correlationId } = command
  requireValue(body, externalId, values[externalId] ?? '')
  const access = deps.accessOf(actor, generation, scopePath)
  const context = saveContexts(deps, tx, { generation, actor, access, correlationId, scopePath })()
  const fields = deliveredValues(body, values)
  const resolved = await resolveItem(context, { op: 'upsert', object, externalId, fields }, [])
  const item = resolved.op === 'update' ? { ...resolved, endsUnchanged: true } : resolved
  const record = await saveItem(context, item)
  const outcome = item.op === 'insert' ? 'created' : context.touched === 0 ? 'unchanged' : 'changed'
  return { ...noResult, record: `${object}/${record!.id}`, outcome }
}
