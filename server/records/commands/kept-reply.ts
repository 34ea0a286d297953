// Replies of repeatable requests, kept with their keys.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { emptyReply } from '../../ports/record-erasures.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { RecordJson } from '#wire/records.ts'
import type { RecordDeps } from '../deps.ts'
import { objectKeyOf } from '../object-names.ts'
import { visibleViews } from '../read/record-json.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { SaveReply } from './save-reply.ts'

/** How long a reply is kept for its key, in milliseconds. */
const replyMs = 24 * 60 * 60 * 1000

/** The key of a repeatable request, with a digest of the request. */
export interface Idempotency {
  caller: string
  key: string
  request: string
}

/** @throws AlmanacError `conflict.idempotency_key`, `record.erased` */
export async function keptReply(
  { clock }: Pick<RecordDeps, 'clock'>,
  tx: RecordTransactor,
  { caller, key, request }: Idempotency,
): Promise<SaveReply | null> {
  const kept = await tx.keptReply(caller, key)
  if (kept === undefined || Date.parse(kept.at) < Date.parse(clock.now()) - replyMs) return null
  if (kept.request !== request)
    throw new AlmanacError(
      'conflict.idempotency_key',
      `The Idempotency-Key "${key}" was used for a different request. Use a new key for each request.`,
    )
  if (kept.reply === emptyReply)
    throw new AlmanacError(
      'record.erased',
      `The request with the Idempotency-Key "${key}" was processed, but its reply contained values that were erased since.`,
    )
  return JSON.parse(kept.reply) as SaveReply
}

export async function keepReply(
  { clock }: Pick<RecordDeps, 'clock'>,
  tx: RecordTransactor,
  { caller, key, request }: Idempotency,
  reply: SaveReply,
): Promise<void> {
  const at = clock.now()
  const since = new Date(Date.parse(at) - replyMs).toISOString()
  await tx.keepReply({ caller, key, request, at, reply: JSON.stringify(reply) }, since)
}

/** A kept reply without what the caller can no longer see. */
export async function shownReply(
  caller: RecordCaller,
  tx: RecordTransactor,
  { results }: SaveReply,
): Promise<SaveReply> {
  const shown: SaveReply['results'] = []
  for (const result of results)
    shown.push(
      result.ok && result.record
        ? { ...result, record: await shownRecord(caller, tx, result.record) }
        : result,
    )
  return { results: shown }
}

async function shownRecord(
  caller: RecordCaller,
  tx: RecordTransactor,
  kept: RecordJson,
): Promise<RecordJson | null> {
  const { present, access } = caller
  const object = objectKeyOf(present.view, kept.object)
  const id = object === undefined ? undefined : present.names.objectId(object)
  if (object === undefined || id === undefined) return null
  const views = await visibleViews(caller, tx, object, await tx.get(id, [kept.id]))
  if (views.size === 0) return null
  const fields = Object.entries(kept.fields).map(([name, value]) => [
    name,
    access.canReadField(object, name) ? value : null,
  ])
  return { ...kept, fields: Object.fromEntries(fields) as RecordJson['fields'] }
}
