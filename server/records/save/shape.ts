// SHAPE: defaults, stored formulas and roll-ups, each at its generation.
import type { FieldValue } from '#kernel/components/field-types.ts'
import {
  CellMap,
  computeCells,
  loadedWith,
  rollUpDifferences,
  staleRollups,
  viewValues,
  type FieldId,
  type RecordState,
  type RecordView,
  type Shape,
  type ShapeInput,
} from '#kernel/records/index.ts'
import { bindingsToKeep } from './enter-marks.ts'
import { loadRelated, type Reading, type Values } from './related-records.ts'
import type { Phase, Save } from './save.ts'

export const shape: Phase = {
  name: 'shape',
  async run(save) {
    let found = await computed(save, save.values)
    // Other expressions read along references that are computed; each pass finds at least one more of them.
    for (let passes = 0; found.isMoved && passes < maxPasses; passes += 1)
      found = await computed(save, found.shape.values)
    save.shape = found.shape
    save.values = found.shape.values
    // A default is computed once and then kept.
    if (save.missing.size > 0) save.missing = new Set()
  },
}

/** An object has as many fields at most. */
const maxPasses = 500

interface Computed {
  shape: Shape
  /** Whether a reference is not the one that was followed. */
  isMoved: boolean
}

/** @param values of the record, from which references are followed */
async function computed(save: Save, values: Values): Promise<Computed> {
  const { context, before, missing, objectId, recompute, dirty } = save
  save.loaded = await loadRelated(context.tx, readingsOf(save, values))
  const input: ShapeInput = {
    id: save.id,
    object: objectId,
    values,
    bindings: bindingsToKeep(save),
    inputs: before?.inputs ?? new Map(),
    missing,
    isNew: before === null,
    dirty,
    present: context.present,
    snapshotAt: (generation) => context.snapshots.at(generation),
    scopePath: context.scopePath,
    loaded: save.loaded,
    recompute,
    keepsArchived: save.keepsArchived,
  }
  const cells = new CellMap(input)
  const known = knownRollups(save, input, cells)
  const children = await childrenOf(save, input, known, cells)
  const found = computeCells(input, children, known, cells)
  for (const field of children.keys()) {
    const isSame = before !== null && (before.values.get(field) ?? null) === found.values.get(field)
    if (isSame && found.problems.length === 0) context.confirmed.add(`${field}/${save.id}`)
  }
  return { shape: found, isMoved: cells.isReferenceMoved(values, found.values) }
}

const noValues: ReadonlyMap<FieldId, FieldValue> = new Map()

/** The values of roll-ups that follow from the change of one child, each change counted once. */
function knownRollups(
  { context, id, before, dirty, childSave }: Save,
  input: ShapeInput,
  cells: CellMap,
): ReadonlyMap<FieldId, FieldValue> {
  const { snapshots, present } = context
  // A request that is still in an older generation looks at all children.
  const isActive = present.generation === snapshots.active().generation
  if (childSave === null || before === null || !isActive) return noValues
  const { before: was, after: is, written } = childSave
  const isIncluded = (field: FieldId): boolean => written <= (context.rolledUp.get(`${field}/${id}`) ?? 0)
  // A roll-up that was computed from all children since the child was written has its change already.
  const change = { before: was, after: is }
  const none = { before: null, after: null }
  const changes = new Map([...dirty].map((field) => [field, isIncluded(field) ? none : change]))
  return rollUpDifferences(input, before, changes, {
    cells,
    isConfirmed: (field) => context.confirmed.has(`${field}/${id}`),
  })
}

async function childrenOf(
  { context, id }: Save,
  input: ShapeInput,
  known: ReadonlyMap<FieldId, FieldValue>,
  cells: CellMap,
): Promise<Map<FieldId, RecordState[]>> {
  const children = new Map<FieldId, RecordState[]>()
  if (input.isNew) return children
  for (const { id: field, child, via } of staleRollups(cells)) {
    if (known.has(field)) continue
    children.set(field, await context.tx.find(child, via, id))
    context.rolledUp.set(`${field}/${id}`, context.touched)
  }
  return children
}

/** The record before and after, by the names of the request's generation and of those that its cells are bound to. */
function readingsOf({ context, object, objectId, before, id }: Save, shaped: Values): Reading[] {
  const prior = context.found.get(id)?.values
  const records = prior === undefined ? [shaped] : [shaped, prior]
  if (before === null) return [{ snapshot: context.present, object, records }]
  const generations = new Set(
    [...before.bindings.values()].flatMap(({ generation, archived }) =>
      archived === undefined ? [generation] : [],
    ),
  )
  generations.delete(context.present.generation)
  const bound = [...generations].flatMap((generation): Reading[] => {
    const snapshot = context.snapshots.at(generation)
    const key = snapshot.names.objectKey(objectId)
    return key === undefined ? [] : [{ snapshot, object: key, records: [shaped] }]
  })
  return [{ snapshot: context.present, object, records }, ...bound]
}

/** The record of a save by the names of the request's generation. */
export function viewSave({ context, id, object, objectId, values, shape, loaded }: Save): RecordView {
  const record = { id, object: objectId, values, bindings: shape?.bindings ?? new Map() }
  return viewValues(object, values, context.present, loadedWith(loaded, record))
}

/** The record as the item found it; null if the item adds it. */
export function viewPrior({ context, object, id, loaded }: Save): RecordView | null {
  const prior = context.found.get(id) ?? null
  return prior === null ? null : viewValues(object, prior.values, context.present, loaded)
}
