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
  type ShapeInput,
} from '#kernel/records/index.ts'
import { bindingsToKeep } from './enter-marks.ts'
import { loadRelated, type Reading, type Values } from './related-records.ts'
import type { Phase, Save } from './save.ts'

export const shape: Phase = {
  name: 'shape',
  async run(save) {
    save.shape = await computed(save, save.values)
    // A default can be a reference, along which other expressions read.
    if (save.missing.size > 0 && isReferenceIn(save)) save.shape = await computed(save, save.shape.values)
    save.values = save.shape.values
    // A default is computed once and then kept.
    if (save.missing.size > 0) save.missing = new Set()
  },
}

/** @param shaped the record that references are followed from */
async function computed(save: Save, shaped: Values): Promise<NonNullable<Save['shape']>> {
  const { context, before, values, missing, objectId, recompute, dirty } = save
  save.loaded = await loadRelated(context.tx, readingsOf(save, shaped))
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
  return found
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

/** Whether a reference that was not sent has a default. */
function isReferenceIn({ programs, ids, missing }: Save): boolean {
  return programs.body.fields.some(({ key, type }) => type === 'reference' && missing.has(ids.get(key)!))
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
