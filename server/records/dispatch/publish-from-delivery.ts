// Publishes the event of a delivery, after its values are checked against the schema of the channel.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { parseFieldValue } from '#kernel/records/index.ts'
import { valueAt } from '#kernel/webhooks/index.ts'
import type { DeliveryResult } from '../../ports/deliveries.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { requireSmallEnough } from '../save/effect-row.ts'
import { placeOf } from './delivered-values.ts'
import { noResult, type Dispatching } from './dispatching.ts'

/** @throws AlmanacError `webhook.body` naming each field, `limit.event_too_large` */
export async function publishFromDelivery(
  { snapshots, clock, ids }: CommandDeps,
  tx: RecordTransactor,
  { command, body }: Dispatching,
  channel: string,
): Promise<DeliveryResult> {
  const { generation, user: actor, dispatch } = command
  const { view } = snapshots.at(generation)
  const payload: Record<string, unknown> = {}
  const problems: string[] = []
  for (const field of view.get('event_channel', channel)?.body.schema ?? []) {
    const place = placeOf(field.key, dispatch.values)
    const value = valueAt(body, place) ?? null
    if (value === null && field.required)
      problems.push(`${field.key} is required, and the body has no value at ${place}.`)
    const parsed = parseFieldValue({ ...field, unique: false, sensitive: false } as ObjectField, value, view)
    if (parsed.ok) payload[field.key] = parsed.value
    else problems.push(parsed.message)
  }
  if (problems.length > 0) throw new AlmanacError('webhook.body', problems.join(' '))
  requireSmallEnough(view, { channel, payload })
  const event = ids.uuid()
  await tx.append({
    ...{ kind: 'publish', automation: '', action: '', record: '', version: 0, generation, actor },
    ...{ at: clock.now(), body: { channel, payload, eventId: event }, deferred: [] },
  })
  return { ...noResult, event }
}
