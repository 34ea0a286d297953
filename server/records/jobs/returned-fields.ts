// Fields that a generation has again after others did not, for example by a rollback: what was saved and deleted in the
// meantime is not in their values.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordColumn } from '../../ports/record-table.ts'
import type { RecordSnapshots } from '../deps.ts'
import { recordTable } from '../record-table.ts'

export interface ReturnedFieldDeps {
  snapshots: RecordSnapshots
  /** The generations that added or changed an object, the newest first. */
  versionsOf(object: ObjectId): readonly number[]
}

export interface ReturnedFields {
  /** Stored formulas and roll-ups. */
  computed: Set<FieldId>
  /** References that users enter. */
  references: Set<FieldId>
}

/**
 * The fields that a generation after `from`, up to `to`, computes or stores and the one before it does not: new ones, and
 * those that come back.
 */
export function returnedFields(
  deps: ReturnedFieldDeps,
  object: ObjectId,
  { from, to }: { from: number; to: number },
): ReturnedFields {
  const returned: ReturnedFields = { computed: new Set(), references: new Set() }
  for (const version of deps.versionsOf(object)) {
    if (version <= from) break
    if (version > to) continue
    const before = new Map(columnsOf(deps, object, version - 1).map((column) => [column.id, column]))
    for (const { id, type, bound } of columnsOf(deps, object, version)) {
      const earlier = before.get(id)
      if (bound && earlier?.bound !== true) returned.computed.add(id)
      if (!bound && type === 'reference' && earlier === undefined) returned.references.add(id)
    }
  }
  return returned
}

/** Empty if the object does not exist in the generation, or if the generation was purged. */
function columnsOf(
  { snapshots }: ReturnedFieldDeps,
  object: ObjectId,
  generation: number,
): readonly RecordColumn[] {
  try {
    const snapshot = snapshots.at(generation)
    const key = snapshot.names.objectKey(object)
    if (key === undefined || snapshot.view.get('object', key)?.body.storage !== 'local') return []
    return recordTable(snapshot, key).columns
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return []
    throw error
  }
}
