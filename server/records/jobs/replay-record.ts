// Checks whether each stored value of a record is reproduced at its generation.
import {
  containsErased,
  evaluateCell,
  fieldKey,
  objectPrograms,
  type FieldId,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import type { RecordSnapshots } from '../deps.ts'
import { boundSnapshot } from '../read/bound-snapshot.ts'
import { cellRequest } from '../read/cell-request.ts'

/** What prevents a replay. */
interface ErasedInput {
  code: 'record.erased'
  message: string
}

/**
 * Returns whether all values are reproduced, or which one cannot be.
 * @param present the active generation
 */
export async function replayRecord(
  snapshots: RecordSnapshots,
  reader: RecordReader,
  present: RecordSnapshot,
  record: StoredRecord,
): Promise<boolean | ErasedInput> {
  let isReproduced = true
  for (const [field, binding] of record.bindings) {
    const { scopePath } = binding
    const snapshot = boundSnapshot(snapshots, binding)
    // Its bundle proves it without the generation.
    if (snapshot === null) continue
    const evaluation = evaluateCell({
      ...(await cellRequest(reader, { snapshot, record, field, scopePath })),
      kept: record.inputs.get(field) ?? {},
      scale: scaleOf(present, record, field),
    })
    if (evaluation === null) continue
    const erased = evaluation.inputs.find(({ value }) => containsErased(value))
    if (erased !== undefined) {
      const message = `${evaluation.field.key} cannot be replayed: its input ${erased.path.join('.')} was erased.`
      return { code: 'record.erased', message }
    }
    if (evaluation.value !== (record.values.get(field) ?? null)) isReproduced = false
  }
  return isReproduced
}

/** Digits after the point of a number as it is stored now. */
function scaleOf({ view, names }: RecordSnapshot, { object }: StoredRecord, id: FieldId): number | undefined {
  const key = names.objectKey(object)
  const name = key === undefined ? undefined : fieldKey(names.fieldIds(key), id)
  return name === undefined ? undefined : objectPrograms(view, key!)?.field(name)?.scale
}
