// What a recompute of stored records would store in given generations, without storing it.
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  CellMap,
  computeCells,
  objectPrograms,
  staleRollups,
  type FieldId,
  type LoadedRecords,
  type ObjectId,
  type RecordSnapshot,
  type RecordState,
  type Shape,
  type ShapeInput,
} from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { loadReadings } from './cell-request.ts'

export interface RecomputeRequest {
  object: ObjectId
  records: readonly StoredRecord[]
  snapshot: RecordSnapshot
  scopePath: ScopePath
  /** Objects whose records are computed too where a roll-up reads them; none if omitted. */
  follows?: ReadonlySet<ObjectId>
}

/** Returns the shape of each record, in their order; records that it does not follow are read as they are stored. */
export async function recomputedShapes(
  reader: RecordReader,
  request: RecomputeRequest,
  onShape: (record: StoredRecord, shape: Shape) => void = () => undefined,
): Promise<Shape[]> {
  const { object, records, snapshot } = request
  const key = snapshot.names.objectKey(object)
  if (key === undefined || objectPrograms(snapshot.view, key) === null)
    return records.map(({ values, bindings, inputs }) => ({
      ...{ values: new Map(values), bindings: new Map(bindings), inputs: new Map(inputs), problems: [] },
    }))
  const loaded = await loadReadings(reader, [
    { snapshot, object: key, records: records.map(({ values }) => values) },
  ])
  const shapes: Shape[] = []
  for (const record of records) {
    const input = inputOf(request, record, loaded)
    const children = new Map<FieldId, readonly RecordState[]>()
    const cells = new CellMap(input)
    for (const { id, child, via } of staleRollups(input, cells))
      children.set(id, await followed(reader, request, child, await reader.find(child, via, record.id)))
    const shape = computeCells(input, children, undefined, cells)
    onShape(record, shape)
    shapes.push(shape)
  }
  return shapes
}

async function followed(
  reader: RecordReader,
  request: RecomputeRequest,
  object: ObjectId,
  records: readonly StoredRecord[],
): Promise<readonly RecordState[]> {
  if (request.follows?.has(object) !== true) return records
  const shapes = await recomputedShapes(reader, { ...request, object, records })
  return records.map((record, index) => ({ ...record, values: shapes[index]!.values }))
}

function inputOf(
  { snapshot, scopePath }: RecomputeRequest,
  { id, object, values, bindings, inputs }: StoredRecord,
  loaded: LoadedRecords,
): ShapeInput {
  return {
    ...{ id, object, values, bindings, inputs, scopePath, loaded, present: snapshot, recompute: true },
    ...{ missing: new Set<FieldId>(), isNew: false, dirty: new Set<FieldId>() },
    snapshotAt: () => snapshot,
  }
}
