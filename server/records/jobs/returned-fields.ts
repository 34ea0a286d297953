// Stored fields that generations compute again after others did not, for example by a rollback: what was saved in the
// meantime is not in their values.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordSnapshots } from '../deps.ts'
import { recordTable } from '../record-table.ts'

export interface ReturnedFieldDeps {
  snapshots: RecordSnapshots
  /** The generations that added or changed an object, the newest first. */
  versionsOf(object: ObjectId): readonly number[]
}

/**
 * The stored fields that a generation after `from`, up to `to`, computes and the one before it does not: new ones, and
 * those that come back.
 */
export function returnedFields(
  deps: ReturnedFieldDeps,
  object: ObjectId,
  { from, to }: { from: number; to: number },
): Set<FieldId> {
  const returned = new Set<FieldId>()
  for (const version of deps.versionsOf(object)) {
    if (version <= from) break
    if (version > to) continue
    const before = computedFields(deps, object, version - 1)
    for (const field of computedFields(deps, object, version)) if (!before.has(field)) returned.add(field)
  }
  return returned
}

/** Empty if the object does not exist in the generation, or if the generation was purged. */
function computedFields(
  { snapshots }: ReturnedFieldDeps,
  object: ObjectId,
  generation: number,
): Set<FieldId> {
  try {
    const snapshot = snapshots.at(generation)
    const key = snapshot.names.objectKey(object)
    if (key === undefined || snapshot.view.get('object', key)?.body.storage !== 'local') return new Set()
    const { columns } = recordTable(snapshot, key)
    return new Set(columns.flatMap(({ id, bound }) => (bound ? [id] : [])))
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return new Set()
    throw error
  }
}
