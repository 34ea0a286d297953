// Computes the defaults, stored formulas and new roll-ups of a record, each after what it reads. A value that depends on
// configuration keeps its generation until its as-of date changes (docs/reference/bindings-and-evidence.md).
import type { FieldValue } from '../components/field-types.ts'
import type { ObjectField } from '../components/object/body.ts'
import type { ScopePath } from '../components/scopes.ts'
import { bindingOf, type Binding } from '../config/index.ts'
import { exprValueToStored, placeOf, valueToJson } from '../expr/index.ts'
import { evaluateForRecord, pathValue, type ReadInputs } from './evaluate-record.ts'
import { asOfOf, CellMap, type Cell, type KeptInputs, type ShapeInput } from './cells.ts'
import type { FieldId, RecordSnapshot, RecordState, StoredBinding } from './record-state.ts'
import { expressionFailure, failureReason, type FieldProblem } from './field-problem.ts'
import { loadedWith, viewRecord, viewValues } from './record-view.ts'
import { rollUp } from './roll-up.ts'
import { storedForm } from './stored-form.ts'
import { fieldsRead, asOfFieldsRead } from './virtual-reads.ts'

export interface Shape {
  values: Map<FieldId, FieldValue>
  bindings: Map<FieldId, StoredBinding>
  inputs: Map<FieldId, KeptInputs>
  problems: FieldProblem[]
}

/**
 * @param children of each stale roll-up; none if omitted
 * @param known the values of roll-ups whose children are not needed
 * @param cells of the input, if they are known
 */
export function computeCells(
  input: ShapeInput,
  children: ReadonlyMap<FieldId, readonly RecordState[]> = new Map(),
  known: ReadonlyMap<FieldId, FieldValue> = new Map(),
  cells: CellMap = new CellMap(input),
): Shape {
  const shape: Shape = {
    values: new Map(input.values),
    bindings: new Map(input.bindings),
    inputs: new Map(input.inputs),
    problems: [],
  }
  const { id, object, loaded } = input
  const current = { ...input, loaded: loadedWith(loaded, { id, object, ...shape }) }
  const order = cells.order()
  for (const field of order) {
    const source = { children: children.get(field) ?? [], value: known.get(field) }
    compute(cells.get(field)!, current, shape, source)
  }
  const isDropped = (field: FieldId): boolean =>
    input.recompute && !order.includes(field) && !cells.isFrozen(field)
  release(shape, (field) => cells.isEntered(field) || isDropped(field))
  return shape
}

/** A value that nothing computes any more keeps no generation, so that the generation can be purged. */
function release({ bindings, inputs }: Shape, isReleased: (id: FieldId) => boolean): void {
  for (const id of bindings.keys()) {
    if (!isReleased(id)) continue
    bindings.delete(id)
    inputs.delete(id)
  }
}

/** What a roll-up is computed from. */
interface RollupSource {
  children: readonly RecordState[]
  /** Undefined if it is computed from the children. */
  value: FieldValue | undefined
}

function compute(cell: Cell, input: ShapeInput, shape: Shape, source: RollupSource): void {
  const { id, field, program, programs, snapshot, scopePath, kept } = cell
  const context = { snapshot, scopePath }
  const record = viewValues(programs.object, shape.values, snapshot, input.loaded)
  const read: ReadInputs = new Map()
  if (field.formula !== undefined)
    for (const path of asOfFieldsRead(snapshot.view, programs.object, program!))
      read.set(path.join('.'), pathValue(context, record, path))
  try {
    if (field.rollup === undefined) {
      const options = field.formula === undefined ? {} : { inputs: read }
      const value = evaluateForRecord(context, program!, record, options)
      shape.values.set(id, withScale(exprValueToStored(value, storedForm(field)), cell))
    } else if (source.value !== undefined) {
      shape.values.set(id, source.value)
    } else {
      const views = source.children.flatMap((child) => viewRecord(child, snapshot, input.loaded) ?? [])
      shape.values.set(id, withScale(rollUp(context, record, field, views), cell))
    }
  } catch (error) {
    shape.values.set(id, null)
    // A filter reads the children, of which the user may see none.
    const failure = field.rollup === undefined ? cellFailure(cell, input, error) : {}
    shape.problems.push({ ...computeProblem(field, error), ...failure })
  }
  if (field.formula === undefined && field.rollup === undefined) return
  shape.bindings.set(id, kept ?? bindingAt(cell, asOfOf(program, record)))
  if (read.size === 0) shape.inputs.delete(id)
  else shape.inputs.set(id, Object.fromEntries([...read].map(([path, value]) => [path, valueToJson(value)])))
}

/** The value was rounded at its own generation; a field can only have grown since. */
export function withScale(
  value: FieldValue,
  { field, scale }: { field: ObjectField; scale: number | undefined },
): FieldValue {
  if (typeof value !== 'string' || scale === undefined || scale === field.scale) return value
  const [whole, fraction = ''] = value.split('.')
  return `${whole}.${fraction.padEnd(scale, '0')}`
}

/** The last binding of each program at a snapshot: most records have that of the one before them. */
const lastBindings = new WeakMap<RecordSnapshot, WeakMap<object, Bound>>()

interface Bound {
  scopePath: ScopePath
  asOf: Binding['asOf']
  binding: Binding
}

function bindingAt({ program, scopePath, snapshot }: Cell, asOf: Binding['asOf']): Binding {
  let known = lastBindings.get(snapshot)
  if (known === undefined) lastBindings.set(snapshot, (known = new WeakMap()))
  const last = known.get(program ?? snapshot)
  if (last !== undefined && last.asOf === asOf && last.scopePath === scopePath) return last.binding
  const binding =
    program === null
      ? { generation: snapshot.generation, asOf: null, config: {}, functions: {}, scopePath: {} }
      : bindingOf(program.program, { asOf, scopePath }, snapshot)
  known.set(program ?? snapshot, { scopePath, asOf, binding })
  return binding
}

/** At an earlier generation, the names of what was read can belong to different fields now. */
function cellFailure(
  { field, program, programs, snapshot }: Cell,
  { present }: ShapeInput,
  error: unknown,
): Pick<FieldProblem, 'failure'> {
  if (snapshot.generation !== present.generation) return {}
  const { key, label = key } = field
  const from = placeOf(error) === null ? '' : ` from ${excerpt(program!.program.source)}`
  const messageOf = (text: string): string => `${label} cannot be computed${from}. ${text}`
  return expressionFailure(error, program!, messageOf, fieldsRead(snapshot.view, programs.object, program!))
}

const excerpt = (source: string): string =>
  source.length > 80 ? `${source.slice(0, 80).toWellFormed()}…` : source

/** The problem with a field that cannot be computed. @throws the error, if it is not a failure of an expression */
export function computeProblem({ key, label }: ObjectField, error: unknown): FieldProblem {
  const reason = failureReason(error)
  if (reason === null) throw error
  return { field: key, code: reason.code, message: `${label ?? key} cannot be computed. ${reason.text}` }
}
