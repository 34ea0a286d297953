// Computes the defaults, stored formulas and new roll-ups of a record, each after what it reads. A value that depends on
// configuration keeps its generation until its as-of date changes (docs/reference/bindings-and-evidence.md).
import type { FieldValue } from '../components/field-types.ts'
import type { ObjectField } from '../components/object/body.ts'
import type { ScopePath } from '../components/scopes.ts'
import { bindingOf, type Binding } from '../config/index.ts'
import { dependencyOrder, exprValueToStored, valueToJson } from '../expr/index.ts'
import { asOfDate, evaluateForRecord, type ReadInputs } from './evaluate-record.ts'
import { objectPrograms, type FieldProgram, type ObjectPrograms } from './object-programs.ts'
import type { FieldId, ObjectId, RecordSnapshot, RecordState } from './record-state.ts'
import { failureReason, type FieldProblem } from './field-problem.ts'
import { viewRecord, viewValues, type LoadedRecords, type RecordView } from './record-view.ts'
import { rollUp } from './roll-up.ts'
import { storedForm } from './stored-form.ts'

export interface ShapeInput {
  object: ObjectId
  /** The record with what was entered; of a saved one, with the earlier values of its stored cells. */
  values: ReadonlyMap<FieldId, FieldValue>
  bindings: ReadonlyMap<FieldId, Binding>
  inputs: ReadonlyMap<FieldId, KeptInputs>
  /** Fields of a new record that were not entered, whose default applies. */
  missing: ReadonlySet<FieldId>
  isNew: boolean
  /** Roll-ups whose children have changed. */
  dirty: ReadonlySet<FieldId>
  /** The generation of the request. */
  present: RecordSnapshot
  snapshotAt: (generation: number) => RecordSnapshot
  scopePath: ScopePath
  loaded: LoadedRecords
  /** Whether every cell is computed at the generation of the request. */
  recompute: boolean
}

/** What a stored formula read from other records or virtual formulas: dotted path → value as JSON. */
export type KeptInputs = Readonly<Record<string, unknown>>

export interface Shape {
  values: Map<FieldId, FieldValue>
  bindings: Map<FieldId, Binding>
  inputs: Map<FieldId, KeptInputs>
  problems: FieldProblem[]
}

/** A roll-up that is computed, and the reference of the children to their parent. */
export interface StaleRollup {
  id: FieldId
  child: ObjectId
  via: FieldId
}

/** Where a cell is computed: at the generation of the request, or at the one that it is bound to. */
interface Cell {
  id: FieldId
  field: ObjectField
  /** The formula, the default, or the filter of a roll-up. */
  program: FieldProgram | null
  programs: ObjectPrograms
  snapshot: RecordSnapshot
  scopePath: ScopePath
  /** Set if the value keeps its generation. */
  kept: Binding | null
  /** Digits after the point as declared at the generation of the request, which can be more. */
  scale: number | undefined
}

/** The roll-ups that `computeCells` computes for the same input: their children must be loaded. */
export function staleRollups(input: ShapeInput): StaleRollup[] {
  const cells = new CellMap(input)
  return cells.order().flatMap((id): StaleRollup[] => {
    const { field, snapshot } = cells.get(id)!
    if (field.rollup === undefined) return []
    const child = snapshot.names.objectId(field.rollup.child)
    const via = objectPrograms(snapshot.view, field.rollup.child)?.field(field.rollup.via)
    if (child === undefined || via === undefined) return []
    return [{ id, child, via: snapshot.names.fieldIds(field.rollup.child).get(via.key)! }]
  })
}

/** @param children of each stale roll-up; none if omitted */
export function computeCells(
  input: ShapeInput,
  children: ReadonlyMap<FieldId, readonly RecordState[]> = new Map(),
): Shape {
  const shape: Shape = {
    values: new Map(input.values),
    bindings: new Map(input.bindings),
    inputs: new Map(input.inputs),
    problems: [],
  }
  const cells = new CellMap(input)
  for (const id of cells.order()) compute(cells.get(id)!, input, shape, children.get(id) ?? [])
  return shape
}

/** The cells of a record by identity, each found when it is first needed. */
class CellMap {
  readonly #input: ShapeInput
  readonly #cells = new Map<FieldId, Cell | null>()

  constructor(input: ShapeInput) {
    this.#input = input
  }

  /** The cells of the generation of the request, and what those that keep an older one read, in the order of dependency. */
  order(): FieldId[] {
    const { present, object } = this.#input
    const key = present.names.objectKey(object)!
    const done = new Set<FieldId>()
    const order: FieldId[] = []
    for (const id of present.names.fieldIds(key).values()) {
      if (done.has(id) || this.get(id) === null) continue
      for (const each of dependencyOrder<FieldId>(
        id,
        (of) => this.#needs(of),
        (of) => done.has(of),
      )) {
        done.add(each)
        order.push(each)
      }
    }
    return order
  }

  get(id: FieldId): Cell | null {
    let cell = this.#cells.get(id)
    if (cell === undefined) this.#cells.set(id, (cell = this.#find(id)))
    return cell
  }

  #needs(id: FieldId): FieldId[] {
    const cell = this.get(id)
    // A roll-up reads only its children.
    if (cell === null || cell.program === null || cell.field.rollup !== undefined) return []
    const ids = cell.snapshot.names.fieldIds(cell.programs.object)
    return [...cell.programs.ownReads(cell.program)].flatMap((name) => {
      const needed = ids.get(name)
      return needed === undefined || this.get(needed) === null ? [] : [needed]
    })
  }

  #find(id: FieldId): Cell | null {
    const { present, missing } = this.#input
    const now = this.#cellAt(id, present)
    if (now !== null && now.field.default !== undefined) return missing.has(id) ? now : null
    const cell = this.#atItsGeneration(id, now)
    return cell?.field.rollup === undefined || this.#isStale(cell) ? cell : null
  }

  #atItsGeneration(id: FieldId, now: Cell | null): Cell | null {
    const { bindings, recompute, snapshotAt } = this.#input
    const binding = bindings.get(id)
    if (binding === undefined || recompute) return now
    if (now !== null && !dependsOnConfiguration(binding)) return now
    const kept = this.#cellAt(id, snapshotAt(binding.generation))
    if (kept === null) return now
    if (!this.#hasSameDate(kept, binding) && now !== null) return now
    return { ...kept, scopePath: binding.scopePath, kept: binding, scale: now?.field.scale }
  }

  /** A roll-up that nothing has changed keeps its value. */
  #isStale({ id, kept }: Cell): boolean {
    const { isNew, dirty, recompute, bindings } = this.#input
    const binding = bindings.get(id)
    if (isNew || recompute || dirty.has(id) || binding === undefined) return true
    return kept === null && dependsOnConfiguration(binding)
  }

  #cellAt(id: FieldId, snapshot: RecordSnapshot): Cell | null {
    const { object, scopePath } = this.#input
    const key = snapshot.names.objectKey(object)
    const programs = key === undefined ? null : objectPrograms(snapshot.view, key)
    if (programs === null) return null
    const name = keyOf(snapshot.names.fieldIds(programs.object), id)
    const field = name === undefined ? undefined : programs.field(name)
    if (field === undefined) return null
    const cell = { id, field, programs, snapshot, scopePath, kept: null, scale: field.scale }
    if (field.rollup !== undefined) return { ...cell, program: programs.filter(field) }
    const program = field.formula?.stored === true ? programs.formula(field) : programs.default(field)
    return program === null ? null : { ...cell, program }
  }

  #hasSameDate({ program, programs, snapshot }: Cell, { asOf }: Binding): boolean {
    if (program?.program.dated !== true) return true
    const record = viewValues(programs.object, this.#input.values, snapshot, this.#input.loaded)
    return asOfDate(program.program, record) === asOf
  }
}

function keyOf(ids: ReadonlyMap<string, FieldId>, id: FieldId): string | undefined {
  for (const [key, each] of ids) if (each === id) return key
  return undefined
}

function dependsOnConfiguration({ config, functions }: Binding): boolean {
  return Object.keys(config).length + Object.keys(functions).length > 0
}

function compute(cell: Cell, input: ShapeInput, shape: Shape, children: readonly RecordState[]): void {
  const { id, field, program, programs, snapshot, scopePath, kept } = cell
  const context = { snapshot, scopePath }
  const record = viewValues(programs.object, shape.values, snapshot, input.loaded)
  const read: ReadInputs = new Map()
  try {
    if (field.rollup === undefined) {
      const options = field.formula === undefined ? {} : { inputs: read }
      const value = evaluateForRecord(context, program!, record, options)
      shape.values.set(id, withScale(exprValueToStored(value, storedForm(field)), cell))
    } else {
      const views = children.flatMap((child) => viewRecord(child, snapshot, input.loaded) ?? [])
      shape.values.set(id, withScale(rollUp(context, record, field, views), cell))
    }
  } catch (error) {
    shape.values.set(id, null)
    shape.problems.push(problemOf(field, error))
  }
  if (field.formula === undefined && field.rollup === undefined) return
  shape.bindings.set(id, kept ?? bindingAt(cell, asOfOf(program, record)))
  if (read.size === 0) shape.inputs.delete(id)
  else shape.inputs.set(id, Object.fromEntries([...read].map(([path, value]) => [path, valueToJson(value)])))
}

/** The value was rounded at its own generation; a field can only have grown since. */
function withScale(value: FieldValue, { field, scale }: Cell): FieldValue {
  if (typeof value !== 'string' || scale === undefined || scale === field.scale) return value
  const [whole, fraction = ''] = value.split('.')
  return `${whole}.${fraction.padEnd(scale, '0')}`
}

const asOfOf = (program: FieldProgram | null, record: RecordView): Binding['asOf'] =>
  program === null ? null : asOfDate(program.program, record)

function bindingAt({ program, scopePath, snapshot }: Cell, asOf: Binding['asOf']): Binding {
  if (program !== null) return bindingOf(program.program, { asOf, scopePath }, snapshot)
  return { generation: snapshot.generation, asOf: null, config: {}, functions: {}, scopePath: {} }
}

function problemOf({ key, label }: ObjectField, error: unknown): FieldProblem {
  const reason = failureReason(error)
  if (reason === null) throw error
  return { field: key, code: reason.code, message: `${label ?? key} cannot be computed. ${reason.text}` }
}
