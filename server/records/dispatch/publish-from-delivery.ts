// Publishes the event of a delivery.
import { placeInBody } from '#kernel/webhooks/index.ts'
import type { DeliveryResult } from '../../ports/deliveries.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import { runPublish } from '../commands/publish-command.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { deliveredValues } from './delivered-values.ts'
import { noResult, type Dispatching } from './dispatching.ts'

/** @throws AlmanacError `channel.not_found`, `access.denied`, `event.invalid`, `limit.event_too_large` */
export async function publishFromDelivery(
  deps: CommandDeps,
  tx: RecordTransactor,
  { command, body }: Dispatching,
  publish: string,
): Promise<DeliveryResult> {
  const { generation, user, scopePath, correlationId, dispatch } = command
  const schema = deps.snapshots.at(generation).view.get('event_channel', publish)?.body.schema ?? []
  const places = schema.map(({ key }) => [key, placeInBody(key, dispatch.values)] as const)
  const payloads = [deliveredValues(body, Object.fromEntries(places))]
  const { ids } = await runPublish(deps, tx, {
    ...{ publish, payloads, generation, user, scopePath, correlationId },
  })
  return { ...noResult, event: ids[0]! }
}
