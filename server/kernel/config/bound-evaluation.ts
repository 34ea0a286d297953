// Evaluates with declared inputs and makes a binding, and replays it (docs/reference/bindings-and-evidence.md).
import type { Param, ParamType } from '../components/expression-slot.ts'
import { scopeKinds, type ScopePath } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import { componentDigest } from '../change/component-digest.ts'
import type { Digest } from '../change/digest.ts'
import { nobleSha256, type Sha256 } from '../change/sha256.ts'
import { parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import { formatDecimal, isDecimal } from '../decimal/decimal.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import {
  compileExpression,
  DateValue,
  exprValueFromField,
  toCanonicalJson,
  typeName,
  type CompileResult,
  type EvalInput,
  type ExprValue,
  type Program,
} from '../expr/index.ts'
import type { Binding } from './binding.ts'
import { resolve } from './resolve.ts'
import { ownValue } from '../components/own-value.ts'
import type { GenerationSlice } from './slice.ts'

/** The generation at which an expression is evaluated. */
export interface EvaluationSnapshot {
  generation: number
  view: ComponentView
  slice: GenerationSlice
}

export interface EvaluationInput {
  key: string
  type: ParamType
  /** Stored form: decimal string, ISO date, text, boolean; null for an absent value. */
  value: string | boolean | null
}

export interface Evaluation {
  expression: string
  inputs: readonly EvaluationInput[]
  /** Required if the expression reads a dated set; has no default. */
  asOf: CivilDate | null
  scopePath: ScopePath
}

export interface EvaluationResult {
  /** Canonical JSON text of the value. */
  value: string
  type: string
  binding: Binding
}

/**
 * `compiled` must be compiled over the snapshot's view; pass it if it is known.
 * @throws AlmanacError expression.invalid with the problems, expression.evaluation, config.* of its reads.
 */
export function evaluateWithBinding(
  evaluation: Evaluation,
  snapshot: EvaluationSnapshot,
  sha256: Sha256 = nobleSha256,
  compiled: CompileResult = compileCached(evaluation, snapshot.view),
): EvaluationResult {
  const program = programOf(compiled, evaluation.asOf)
  const binding = bindingOf(program, evaluation, snapshot, sha256)
  const value = program.evaluate(inputOf(evaluation, snapshot))
  return { value: toCanonicalJson(value), type: typeName(program.type), binding }
}

/** Compiled programs by view: a view never changes, so its programs stay valid. Many replays share few expressions. */
const compilations = new WeakMap<ComponentView, Map<string, CompileResult>>()
const maxCompilations = 256

/** Compiles an expression with declared inputs over a view, once, whether or not it is valid. */
export function compileCached(
  { expression, inputs }: Pick<Evaluation, 'expression' | 'inputs'>,
  view: ComponentView,
): CompileResult {
  const cache = compilations.get(view) ?? new Map<string, CompileResult>()
  compilations.set(view, cache)
  const at = inputs.reduce((text, { key, type }) => `${text}\n${key} ${type}`, expression)
  let compiled = cache.get(at)
  if (compiled === undefined) {
    const params: Param[] = inputs.map(({ key, type }) => ({ key, type }))
    compiled = compileExpression(expression, { kind: 'playground', inputs: params }, view)
    if (cache.size === maxCompilations) cache.clear()
    cache.set(at, compiled)
  }
  return compiled
}

function programOf(compiled: CompileResult, asOf: CivilDate | null): Program {
  if (!compiled.ok) {
    const detail = compiled.problems.map((problem) => problem.message).join(' ')
    throw new AlmanacError('expression.invalid', detail, { details: compiled.problems })
  }
  if (compiled.program.dated && asOf === null)
    throw new AlmanacError(
      'config.as_of_required',
      'The expression reads an effective-dated set: add the as-of date, as YYYY-MM-DD.',
    )
  return compiled.program
}

/** Returns the binding of a value that a program computes at a snapshot. */
export function bindingOf(
  program: Program,
  evaluation: Pick<Evaluation, 'asOf' | 'scopePath'>,
  snapshot: EvaluationSnapshot,
  sha256: Sha256 = nobleSha256,
): Binding {
  const { deepSets, deepFlags, deepFunctions } = program.reads
  const config: Record<string, Digest> = {}
  const kinds = new Set<string>()
  for (const key of [...deepSets.map(({ set }) => set), ...deepFlags].sort()) {
    const set = snapshot.slice.sets.get(key)
    if (set === undefined) continue
    config[key] = set.digest
    for (const kind of set.chain) kinds.add(kind)
  }
  const functions: Record<string, Digest> = {}
  for (const name of deepFunctions)
    functions[name] = componentDigest(snapshot.view.get('calc_function', name)!, sha256)
  const asOf = program.dated ? evaluation.asOf : null
  return {
    generation: snapshot.generation,
    asOf,
    config,
    functions,
    scopePath: narrowScopePath(evaluation.scopePath, kinds),
  }
}

/** Keeps only the scopes by which the sets can vary, in a fixed order: equal evaluations have equal bindings. */
function narrowScopePath(path: ScopePath, kinds: ReadonlySet<string>): ScopePath {
  const narrow: ScopePath = {}
  for (const kind of scopeKinds) {
    if (kind === 'org' || !kinds.has(kind)) continue
    if (kind === 'permission_set') {
      if (path.permission_set !== undefined) narrow.permission_set = [...new Set(path.permission_set)].sort()
    } else if (path[kind] !== undefined) narrow[kind] = path[kind]
  }
  return narrow
}

function inputOf(evaluation: Evaluation, { slice }: EvaluationSnapshot): EvalInput {
  const values = new Map(evaluation.inputs.map(({ key, type, value }) => [key, inputValue(key, type, value)]))
  return { field: ([name]) => values.get(name!) ?? null, ...configurationInput(evaluation, slice) }
}

/** A set or flag that is read, with the key as text; a null key is that of a singleton or a flag. */
export interface ConfigurationRead {
  set: string
  key: string | null
  /** Null if the expression reads no dated set. */
  asOf: CivilDate | null
}

/**
 * Reads configuration for an evaluation as of a date.
 * @param onRead called before each read
 */
export function configurationInput(
  { asOf, scopePath }: Pick<Evaluation, 'asOf' | 'scopePath'>,
  slice: GenerationSlice,
  onRead?: (read: ConfigurationRead) => void,
): Pick<EvalInput, 'configRow' | 'flag'> {
  const row = (set: string, key: string | null): Record<string, ExprValue> => {
    onRead?.({ set, key, asOf })
    const { values } = resolve(slice, { set, key, scopePath, asOf })
    const typed: Record<string, ExprValue> = {}
    for (const field of slice.sets.get(set)!.fields)
      typed[field.key] = exprValueFromField(field.type, ownValue(values, field.key))
    return typed
  }
  return {
    configRow: (set, key) => row(set, key === undefined ? null : keyText(key)),
    flag: (key) => row(key, null)['value'] === true,
  }
}

function inputValue(key: string, type: ParamType, value: string | boolean | null): ExprValue {
  try {
    return exprValueFromField(type, value)
  } catch (error) {
    throw new AlmanacError('request.invalid', `Input ${key}: ${(error as Error).message}`)
  }
}

/** Returns a computed key as the text of a business key. */
function keyText(key: ExprValue): string {
  if (isDecimal(key)) return formatDecimal(key)
  if (key instanceof DateValue) return key.date
  return String(key)
}

export interface ReplayRequest {
  expression: string
  inputs: readonly EvaluationInput[]
  /** Canonical JSON text of the stored value. */
  value: string
  binding: Binding
}

export interface BindingDifference {
  kind: 'config' | 'function'
  key: string
  recorded: Digest
  /** Null if the set or function does not exist here. */
  found: Digest | null
}

export interface ReplayResult extends EvaluationResult {
  /** Whether the bytes equal the stored ones. */
  identical: boolean
  /**
   * Sets and functions that differ from what the binding recorded; empty for the snapshot that it was recorded with.
   */
  differences: BindingDifference[]
}

/** Evaluates again against a snapshot (that of the binding's generation) with the recorded as-of and scope path. */
export function replay(
  request: ReplayRequest,
  snapshot: EvaluationSnapshot,
  sha256: Sha256 = nobleSha256,
  compiled?: CompileResult,
): ReplayResult {
  const { binding, expression, inputs, value } = request
  const differences = differencesOf(binding, snapshot, sha256)
  const evaluated = evaluateWithBinding(
    { expression, inputs, asOf: binding.asOf, scopePath: binding.scopePath },
    snapshot,
    sha256,
    compiled,
  )
  return { ...evaluated, identical: evaluated.value === value, differences }
}

export function differencesOf(
  binding: Binding,
  snapshot: EvaluationSnapshot,
  sha256: Sha256 = nobleSha256,
): BindingDifference[] {
  const differences: BindingDifference[] = []
  for (const [key, recorded] of Object.entries(binding.config)) {
    const found = snapshot.slice.sets.get(key)?.digest ?? null
    if (found !== recorded) differences.push({ kind: 'config', key, recorded, found })
  }
  for (const [key, recorded] of Object.entries(binding.functions)) {
    const component = snapshot.view.get('calc_function', key)
    const found = component === undefined ? null : componentDigest(component, sha256)
    if (found !== recorded) differences.push({ kind: 'function', key, recorded, found })
  }
  return differences
}

/** Parses a date that a user or client typed. @throws AlmanacError request.invalid. */
export function parseAsOf(text: string): CivilDate {
  const date = parseCivilDate(text)
  if (date === null)
    throw new AlmanacError('request.invalid', `"${text}" is not a date: write it as YYYY-MM-DD.`)
  return date
}
