// Checks whether each stored value of a record is reproduced at its generation.
import {
  evaluateCell,
  fieldKey,
  objectPrograms,
  type FieldId,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import type { RecordSnapshots } from '../deps.ts'
import { cellRequest } from '../read/cell-request.ts'

/** @param present the active generation */
export async function isReproduced(
  snapshots: RecordSnapshots,
  reader: RecordReader,
  present: RecordSnapshot,
  record: StoredRecord,
): Promise<boolean> {
  for (const [field, { generation, scopePath }] of record.bindings) {
    const snapshot = snapshots.at(generation)
    const evaluation = evaluateCell({
      ...(await cellRequest(reader, { snapshot, record, field, scopePath })),
      kept: record.inputs.get(field) ?? {},
      scale: scaleOf(present, record, field),
    })
    if (evaluation !== null && evaluation.value !== (record.values.get(field) ?? null)) return false
  }
  return true
}

/** Digits after the point of a number as it is stored now. */
function scaleOf({ view, names }: RecordSnapshot, { object }: StoredRecord, id: FieldId): number | undefined {
  const key = names.objectKey(object)
  const name = key === undefined ? undefined : fieldKey(names.fieldIds(key), id)
  return name === undefined ? undefined : objectPrograms(view, key!)?.field(name)?.scale
}
