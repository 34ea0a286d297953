// Evaluates one cell of a stored record, to explain or replay its value (docs/reference/bindings-and-evidence.md).
import type { FieldValue } from '../components/field-types.ts'
import type { ObjectField } from '../components/object/body.ts'
import type { ScopePath } from '../components/scopes.ts'
import { exprValueFromField, exprValueToStored, valueToJson } from '../expr/index.ts'
import { fieldKey, type KeptInputs } from './cells.ts'
import { computeProblem, withScale } from './compute-cells.ts'
import {
  asOfDate,
  evaluateForRecord,
  pathValue,
  type GivenInput,
  type RecordContext,
} from './evaluate-record.ts'
import { failureReason, type FieldProblem } from './field-problem.ts'
import { objectPrograms, type FieldProgram, type ObjectPrograms } from './object-programs.ts'
import type { FieldId, ObjectId, RecordSnapshot, RecordState } from './record-state.ts'
import { viewRecord, viewValues, type LoadedRecords, type RecordView } from './record-view.ts'
import { rollUp } from './roll-up.ts'
import { storedForm } from './stored-form.ts'

export interface CellRequest {
  object: ObjectId
  field: FieldId
  values: ReadonlyMap<FieldId, FieldValue>
  /** The generation whose formula is evaluated. */
  snapshot: RecordSnapshot
  scopePath: ScopePath
  /** What the formula had read beyond the record, for a replay; omitted if the records are read. */
  kept?: KeptInputs
  /** Digits after the point of a number as it is stored now, which can be more than in the generation. */
  scale?: number | undefined
  loaded: LoadedRecords
  /** The children of a roll-up. */
  children: readonly RecordState[]
  /** Called before each read of configuration for the value. */
  onRead?: RecordContext['onRead']
}

export interface CellEvaluation {
  /** As declared in the generation. */
  field: ObjectField
  /** The formula, or the filter of a roll-up; null without one. */
  expression: string | null
  program: FieldProgram | null
  value: FieldValue
  /** Null if the value was computed. */
  problem: FieldProblem | null
  /**
   * The problem with its place and the values of its operands, which are only for those who can read all of them; null if
   * the value was computed.
   */
  detail: string | null
  asOf: { field: string; date: string | null } | null
  /** What the formula reads of the record and along references: dotted path → value as JSON. */
  inputs: CellInput[]
}

export interface CellInput {
  path: readonly string[]
  /** Null if it could not be computed. */
  value: unknown
}

/** Null if the field does not exist or is not computed in the generation. */
export function evaluateCell(request: CellRequest): CellEvaluation | null {
  const { snapshot, scopePath, field: id, values, loaded } = request
  const key = snapshot.names.objectKey(request.object)
  const programs = key === undefined ? null : objectPrograms(snapshot.view, key)
  const name = programs === null ? undefined : fieldKey(snapshot.names.fieldIds(programs.object), id)
  const field = name === undefined ? undefined : programs!.field(name)
  if (programs === null || field === undefined) return null
  if (field.formula === undefined && field.rollup === undefined) return null
  const context = { snapshot, scopePath, onRead: request.onRead }
  const record = viewValues(programs.object, values, snapshot, loaded)
  const program = field.rollup === undefined ? programs.formula(field) : programs.filter(field)
  const given = givenInputs(request, programs)
  return {
    field,
    expression: field.formula?.expression ?? field.rollup?.filter ?? null,
    program,
    ...computed(request, { context, record, field, program, given }),
    asOf: asOfOf(program, record),
    inputs: field.formula === undefined ? [] : inputsOf(context, record, program!, given),
  }
}

interface Evaluating {
  context: RecordContext
  record: RecordView
  field: ObjectField
  program: FieldProgram | null
  given: GivenInput | undefined
}

function computed(
  { children, loaded, scale }: CellRequest,
  { context, record, field, program, given }: Evaluating,
): Pick<CellEvaluation, 'value' | 'problem' | 'detail'> {
  try {
    if (field.rollup !== undefined) {
      const views = children.flatMap((child) => viewRecord(child, context.snapshot, loaded) ?? [])
      const value = withScale(rollUp(context, record, field, views), { field, scale })
      return { value, problem: null, detail: null }
    }
    const value = evaluateForRecord(context, program!, record, given === undefined ? {} : { given })
    return {
      value: withScale(exprValueToStored(value, storedForm(field)), { field, scale }),
      ...{ problem: null, detail: null },
    }
  } catch (error) {
    const { key, label = key } = field
    const detail = `${label} cannot be computed. ${(error as Error).message}`
    return { value: null, problem: computeProblem(field, error), detail }
  }
}

function asOfOf(program: FieldProgram | null, record: RecordView): CellEvaluation['asOf'] {
  const field = program?.program.dated === true ? program.program.asOfField : null
  return field === null ? null : { field: field.field, date: asOfDate(program!.program, record) }
}

function inputsOf(
  context: RecordContext,
  record: RecordView,
  { paths }: FieldProgram,
  given: GivenInput | undefined,
): CellInput[] {
  const inputs = new Map<string, CellInput>()
  for (const { path, prior } of paths)
    if (!prior) inputs.set(path.join('.'), { path, value: inputValue(context, record, path, given) })
  return [...inputs.values()]
}

function inputValue(
  context: RecordContext,
  record: RecordView,
  path: readonly string[],
  given: GivenInput | undefined,
): unknown {
  try {
    const known = given?.(path)
    return valueToJson(known === undefined ? pathValue(context, record, path) : known)
  } catch (error) {
    if (failureReason(error) === null) throw error
    return null
  }
}

/** The inputs that are kept beside a binding, as values. */
function givenInputs({ kept, snapshot }: CellRequest, programs: ObjectPrograms): GivenInput | undefined {
  if (kept === undefined) return undefined
  return (path) => {
    const text = path.join('.')
    if (!Object.hasOwn(kept, text)) return undefined
    const field = fieldAlong(snapshot, programs, path)
    return field === undefined ? undefined : exprValueFromField(field.type, kept[text])
  }
}

/** The field at the end of a path. */
export function fieldAlong(
  { view }: RecordSnapshot,
  programs: ObjectPrograms,
  path: readonly string[],
): ObjectField | undefined {
  let at: ObjectPrograms | null = programs
  let field: ObjectField | undefined
  for (const name of path) {
    field = at?.field(name)
    at = field?.references === undefined ? null : objectPrograms(view, field.references)
  }
  return field
}
