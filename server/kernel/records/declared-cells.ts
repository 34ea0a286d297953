// What a generation declares for the cells of an object. The same for each of its records, so it is found once.
import type { ObjectField } from '../components/object/body.ts'
import { objectPrograms, type FieldProgram, type ObjectPrograms } from './object-programs.ts'
import type { FieldId, ObjectId, RecordNames, RecordSnapshot } from './record-state.ts'

export interface DeclaredField {
  programs: ObjectPrograms
  field: ObjectField
}

export interface DeclaredCell extends DeclaredField {
  /** The formula, the default, or the filter of a roll-up. */
  program: FieldProgram | null
}

export class DeclaredCells {
  /** By identity, in the order of the object. */
  readonly fields: ReadonlyMap<FieldId, DeclaredField>
  readonly #cells = new Map<FieldId, DeclaredCell | null>()
  readonly #orders = new Map<string, readonly FieldId[]>()

  constructor(programs: ObjectPrograms, ids: ReadonlyMap<string, FieldId>) {
    const fields = new Map<FieldId, DeclaredField>()
    for (const [key, id] of ids) {
      const field = programs.field(key)
      if (field !== undefined) fields.set(id, { programs, field })
    }
    this.fields = fields
  }

  /** Null for a field that is only entered. */
  cell(id: FieldId): DeclaredCell | null {
    let cell = this.#cells.get(id)
    if (cell === undefined) this.#cells.set(id, (cell = this.#compile(id)))
    return cell
  }

  /** The order of some cells of the generation, by dependency. */
  orderOf(cells: readonly FieldId[], find: () => readonly FieldId[]): readonly FieldId[] {
    if (cells.length < 2) return cells
    const place = cells.join()
    let order = this.#orders.get(place)
    if (order === undefined) this.#orders.set(place, (order = find()))
    return order
  }

  #compile(id: FieldId): DeclaredCell | null {
    const found = this.fields.get(id)
    if (found === undefined) return null
    const { programs, field } = found
    if (field.rollup !== undefined) return { ...found, program: programs.filter(field) }
    const program = field.formula?.stored === true ? programs.formula(field) : programs.default(field)
    return program === null ? null : { ...found, program }
  }
}

const known = new WeakMap<RecordNames, Map<ObjectId, DeclaredCells | null>>()

/** Null if the object does not exist in the generation or is virtual. */
export function declaredCells({ names, view }: RecordSnapshot, object: ObjectId): DeclaredCells | null {
  let byObject = known.get(names)
  if (byObject === undefined) known.set(names, (byObject = new Map()))
  let declared = byObject.get(object)
  if (declared === undefined) {
    const key = names.objectKey(object)
    const programs = key === undefined ? null : objectPrograms(view, key)
    declared = programs === null ? null : new DeclaredCells(programs, names.fieldIds(programs.object))
    byObject.set(object, declared)
  }
  return declared
}
