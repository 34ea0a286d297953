// The reply of a repeated request, as its caller can see it now.
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import { objectPrograms } from '#kernel/records/index.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { RecordJson } from '#wire/records.ts'
import { visibleViews } from '../read/record-json.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { SaveReply } from './save-reply.ts'

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
  const programs = objectPrograms(present.view, object)
  const fields = Object.entries(kept.fields).map(([name, value]) => {
    const field = programs?.field(name)
    return [name, field !== undefined && access.canReadField(object, field.key) ? value : null]
  })
  return { ...kept, fields: Object.fromEntries(fields) as RecordJson['fields'] }
}
