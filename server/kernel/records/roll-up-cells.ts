// Which roll-ups a save computes, and which of them follow from the change of one child.
import type { FieldValue } from '../components/field-types.ts'
import { asOfOf, dependsOnConfiguration, type Cell, type CellMap, type ShapeInput } from './cells.ts'
import { failureReason } from './field-problem.ts'
import { objectPrograms } from './object-programs.ts'
import type { FieldId, ObjectId, RecordState } from './record-state.ts'
import { viewRecord, viewValues, type RecordView } from './record-view.ts'
import { rollUpDifference } from './roll-up-difference.ts'

/** A roll-up that is computed, and the reference of the children to their parent. */
export interface StaleRollup {
  id: FieldId
  child: ObjectId
  via: FieldId
}

/** The roll-ups that `computeCells` computes for the same cells: their children must be loaded. */
export function staleRollups(cells: CellMap): StaleRollup[] {
  return cells.order().flatMap((id): StaleRollup[] => {
    const { field, snapshot } = cells.get(id)!
    if (field.rollup === undefined) return []
    const child = snapshot.names.objectId(field.rollup.child)
    const via = objectPrograms(snapshot.view, field.rollup.child)?.field(field.rollup.via)
    if (child === undefined || via === undefined) return []
    return [{ id, child, via: snapshot.names.fieldIds(field.rollup.child).get(via.key)! }]
  })
}

/** A child of a roll-up before and after a save; null if it did not exist, or was removed. */
export interface ChildChange {
  before: RecordState | null
  after: RecordState | null
}

/**
 * The values of stale roll-ups that follow from their stored values and the change of one child; those that do not are left
 * out, and all their children must be loaded.
 * @param parent as it is stored
 * @param isConfirmed whether the stored value is known to be what the generation of the request computes
 */
export function rollUpDifferences(
  input: ShapeInput,
  parent: Pick<RecordState, 'id' | 'values'>,
  changes: ReadonlyMap<FieldId, ChildChange>,
  { cells, isConfirmed }: { cells: CellMap; isConfirmed: (field: FieldId) => boolean },
): Map<FieldId, FieldValue> {
  const found = new Map<FieldId, FieldValue>()
  if (input.recompute || input.isNew) return found
  for (const { id, via } of staleRollups(cells)) {
    const change = changes.get(id)
    const cell = cells.get(id)!
    if (change === undefined || !isSameRollup(cell, input, isConfirmed(id))) continue
    const { field, snapshot, scopePath, programs } = cell
    const record = viewValues(programs.object, input.values, snapshot, input.loaded)
    const [before, after] = [change.before, change.after].map((child) =>
      child?.values.get(via) === parent.id ? viewRecord(child, snapshot, input.loaded) : null,
    ) as [RecordView | null, RecordView | null]
    try {
      const old = parent.values.get(id) ?? null
      const value = rollUpDifference({ snapshot, scopePath }, record, field, { old, before, after })
      if (value !== undefined) found.set(id, value)
    } catch (error) {
      // Explained when all children are looked at.
      if (failureReason(error) === null) throw error
    }
  }
  return found
}

/** Whether the stored value was computed as it is now. */
function isSameRollup(
  { id, programs, program, kept, field, scale }: Cell,
  input: ShapeInput,
  isConfirmed: boolean,
): boolean {
  const { present, bindings, values, loaded } = input
  const binding = bindings.get(id)
  if (binding === undefined || kept !== null || scale !== field.scale) return false
  const record = viewValues(programs.object, values, present, loaded)
  if (asOfOf(program, record) !== binding.asOf || dependsOnConfiguration(binding)) return false
  // An earlier generation can have computed it differently, even if one between them did not change the value.
  return isConfirmed || binding.generation === present.generation
}
