// Evaluates an expression over a record: its fields, virtual formulas, and the records that it refers to.
import type { ScopePath } from '../components/scopes.ts'
import { configurationInput, type ConfigurationRead } from '../config/index.ts'
import { parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import {
  exprValueFromField,
  parseInstant,
  withFormula,
  type EvalInput,
  type ExprValue,
} from '../expr/index.ts'
import { rowPrograms, type FieldProgram } from './object-programs.ts'
import type { RecordSnapshot } from './record-state.ts'
import type { RecordView } from './record-view.ts'

export interface RecordContext {
  snapshot: RecordSnapshot
  scopePath: ScopePath
  /** Called before each read of configuration, also by a virtual formula. */
  onRead?: ((read: ConfigurationRead) => void) | undefined
}

export interface EvaluationOptions {
  /** The record as it was before the save; null if the save adds it. Omitted outside a save. */
  prior?: RecordView | null
  /** Of the record; needed only where expressions can read it. */
  id?: string
  /** The record with the as-of date; if omitted, the record itself. */
  dated?: RecordView
  /** Receives what is read beyond the fields of the record. */
  inputs?: ReadInputs
  /** What is read beyond the fields of the record, for a replay: it may have changed since. */
  given?: GivenInput
}

/** The value at a dotted path; undefined if it is read from the records. */
export type GivenInput = (path: readonly string[]) => ExprValue | undefined

/** What an evaluation read beyond the fields of its record: dotted path → value. */
export type ReadInputs = Map<string, ExprValue>

/**
 * Returns the value of a program for a record; null if it needs an as-of date that the record does not have.
 * @throws AlmanacError `expression.evaluation`, `expression.too_costly`, `config.*`
 */
export function evaluateForRecord(
  context: RecordContext,
  { program }: FieldProgram,
  record: RecordView,
  { prior, id, dated = record, inputs, given }: EvaluationOptions = {},
): ExprValue {
  const asOf = asOfDate(program, dated)
  if (program.dated && asOf === null) return null
  // Each virtual formula is computed once, however often it is read.
  const computed = new Map<RecordView, Map<string, ExprValue>>()
  const field = (path: readonly string[]): ExprValue => {
    const known = given?.(path)
    const value = known === undefined ? readPath(context, record, path, computed) : known
    if (inputs !== undefined && (path.length > 1 || isVirtual(context, record, path[0]!)))
      inputs.set(path.join('.'), value)
    return value
  }
  const input: EvalInput = {
    field,
    ...configurationInput({ asOf, scopePath: context.scopePath }, context.snapshot.slice, context.onRead),
  }
  if (id !== undefined) input.id = id
  if (prior != null) input.prior = (path) => readPath(context, prior, path, computed)
  return program.evaluate(input)
}

/** The as-of date of a record for a program; null if the record has none or the program needs none. */
export function asOfDate({ asOfField }: FieldProgram['program'], record: RecordView): CivilDate | null {
  if (asOfField === null) return null
  return civilDateOf(record.value(asOfField.field))
}

/** The date of a date or datetime in its stored form; null for an absent value. */
export function civilDateOf(value: unknown): CivilDate | null {
  return typeof value === 'string' ? (parseCivilDate(value) ?? parseInstant(value)?.date ?? null) : null
}

/** The value of a field of a record, whether stored or virtual. @throws AlmanacError as `evaluateForRecord` */
export function fieldValue(context: RecordContext, record: RecordView, field: string): ExprValue {
  return pathValue(context, record, [field])
}

/** The same for a field along references. */
export function pathValue(context: RecordContext, record: RecordView, path: readonly string[]): ExprValue {
  return readPath(context, record, path, new Map())
}

function isVirtual({ snapshot }: RecordContext, { object }: RecordView, field: string): boolean {
  return rowPrograms(snapshot.view, object)?.field(field)?.formula?.stored === false
}

function readPath(
  context: RecordContext,
  record: RecordView,
  [name, ...rest]: readonly string[],
  computed: Map<RecordView, Map<string, ExprValue>>,
): ExprValue {
  const field = rowPrograms(context.snapshot.view, record.object)?.field(name!)
  if (field === undefined) return null
  if (rest.length > 0) {
    const target = record.follow(field.key)
    return target === null ? null : readPath(context, target, rest, computed)
  }
  if (field.formula?.stored !== false) return exprValueFromField(field.type, record.value(field.key))
  return virtualValue(context, record, field.key, computed)
}

function virtualValue(
  context: RecordContext,
  record: RecordView,
  field: string,
  computed: Map<RecordView, Map<string, ExprValue>>,
): ExprValue {
  const programs = rowPrograms(context.snapshot.view, record.object)!
  const { program } = programs.formula(programs.field(field)!)!
  let values = computed.get(record)
  if (values === undefined) computed.set(record, (values = new Map()))
  const known = values.get(field)
  if (known !== undefined) return known
  const asOf = asOfDate(program, record)
  const input: EvalInput = {
    field: (path) => readPath(context, record, path, computed),
    ...configurationInput({ asOf, scopePath: context.scopePath }, context.snapshot.slice, context.onRead),
  }
  try {
    const value = program.dated && asOf === null ? null : program.evaluate(input)
    values.set(field, value)
    return value
  } catch (error) {
    throw withFormula(error, program.source, `${record.object}.${field}`)
  }
}

/** The references that must be loaded before a program is evaluated: keys along references, shortest first. */
export function referencesRead(
  snapshot: RecordSnapshot,
  object: string,
  program: FieldProgram,
): readonly (readonly string[])[] {
  const chains = new Map<string, readonly string[]>()
  collectReferences(snapshot, object, program, [], chains, new Set())
  return [...chains.values()].sort((a, b) => a.length - b.length)
}

function collectReferences(
  snapshot: RecordSnapshot,
  object: string,
  program: FieldProgram,
  before: readonly string[],
  chains: Map<string, readonly string[]>,
  seen: Set<string>,
): void {
  for (const { path } of program.paths) {
    let at = rowPrograms(snapshot.view, object)
    path.forEach((name, index) => {
      const field = at?.field(name)
      if (at == null || field === undefined) return
      const chain = [...before, ...path.slice(0, index)]
      if (chain.length > 0) chains.set(chain.join('.'), chain)
      const formula = field.formula?.stored === false ? at.formula(field) : null
      const place = `${chain.join('.')} ${at.object}.${field.key}`
      if (formula !== null && !seen.has(place)) {
        seen.add(place)
        collectReferences(snapshot, at.object, formula, chain, chains, seen)
      }
      at = field.references === undefined ? null : rowPrograms(snapshot.view, field.references)
    })
  }
}
