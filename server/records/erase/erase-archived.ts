// Computes archived values again that were computed from erased ones. An archived value did not follow later changes, so the
// records that it has read can be found in the history alone.
import type { ArchivedReads, ObjectId, RecordSnapshot } from '#kernel/records/index.ts'
import type { RecordTransactor } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { saveInTransaction, type SaveRequest } from '../saves.ts'
import { recordsOf } from './blank-history.ts'
import type { DerivedPlace } from './derived-places.ts'

/** @param id the record that is erased */
export async function eraseArchived(
  deps: CommandDeps,
  tx: RecordTransactor,
  { id, places, archived, present }: ArchivedPlaces,
  request: Pick<SaveRequest, 'actor' | 'correlationId' | 'scopePath'>,
): Promise<void> {
  const { generation, names } = present
  for (const { object: objectId, chain, fields } of places) {
    const object = names.objectKey(objectId)
    const reads = archived.filter((each) => each.object === objectId && fields.has(each.field))
    if (object === undefined || reads.length === 0) continue
    const isArchived = reads.map(({ field }) => field)
    const { records } = await recordsOf(tx, id, { object: objectId, chain, fields })
    const found = await stillArchived(tx, objectId, records, isArchived)
    await saveInTransaction(deps, tx, {
      ...{ ...request, generation, allOrNone: true },
      access: deps.accessOf(request.actor, generation, request.scopePath),
      items: found.map((each) => ({ op: 'erase', object, id: each, version: null, erased: new Map() })),
    })
  }
}

interface ArchivedPlaces {
  id: string
  places: readonly DerivedPlace[]
  archived: readonly ArchivedReads[]
  present: RecordSnapshot
}

async function stillArchived(
  tx: RecordTransactor,
  object: ObjectId,
  ids: readonly string[],
  fields: readonly ArchivedReads['field'][],
): Promise<string[]> {
  const records = await tx.get(object, ids)
  return records.flatMap(({ id, bindings }) =>
    fields.some((field) => bindings.get(field)?.archived !== undefined) ? [id] : [],
  )
}
