// Loads what the evaluation of one cell of a record reads.
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  fieldKey,
  objectPrograms,
  type CellRequest,
  type FieldId,
  type LoadedRecords,
  type RecordSnapshot,
  type RecordState,
} from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { loadRelated, type Reading } from '../save/related-records.ts'

export interface CellPlace {
  /** The generation whose formula is evaluated. */
  snapshot: RecordSnapshot
  record: StoredRecord
  field: FieldId
  scopePath: ScopePath
  /** The values of the record; if omitted, the stored ones. */
  values?: RecordState['values']
}

export async function cellRequest(
  reader: RecordReader,
  { snapshot, record, field, scopePath, values = record.values }: CellPlace,
): Promise<CellRequest> {
  const object = snapshot.names.objectKey(record.object)
  const readings = object === undefined ? [] : [{ snapshot, object, records: [values] }]
  return {
    ...{ object: record.object, field, values, snapshot, scopePath },
    loaded: await loadReadings(reader, readings),
    children: await childrenOf(reader, record, snapshot, field),
  }
}

/** The records that stored and virtual formulas read. */
export async function loadReadings(
  reader: Pick<RecordReader, 'get'>,
  readings: readonly Reading[],
): Promise<LoadedRecords> {
  const [saved, read] = [await loadRelated(reader, readings), await loadRelated(reader, readings, 'read')]
  return (id) => saved(id) ?? read(id)
}

/** The children of a roll-up, by the names of a generation; none for a formula. */
async function childrenOf(
  reader: RecordReader,
  { object, id: parent }: StoredRecord,
  { view, names }: RecordSnapshot,
  field: FieldId,
): Promise<StoredRecord[]> {
  const key = names.objectKey(object)
  const programs = key === undefined ? null : objectPrograms(view, key)
  const own = key === undefined ? undefined : fieldKey(names.fieldIds(key), field)
  const rollup = own === undefined ? undefined : programs?.field(own)?.rollup
  if (rollup === undefined) return []
  const child = names.objectId(rollup.child)
  const via = objectPrograms(view, rollup.child)?.field(rollup.via)
  if (child === undefined || via === undefined) return []
  return reader.find(child, names.fieldIds(rollup.child).get(via.key)!, parent)
}
