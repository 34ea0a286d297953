// Why a field of a record has its value: the formula, what it read, the binding, a replay, and what a recompute would give.
// Shows what the caller can see; configuration is explained by the evaluation engine, from what was read.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import type { Binding, ConfigurationRead } from '#kernel/config/index.ts'
import {
  evaluateCell,
  fieldKey,
  storedPath,
  type CellEvaluation,
  type CellRequest,
  type FieldId,
  type ObjectPrograms,
  type RecordSnapshot,
  type RecordState,
  type StoredBinding,
} from '#kernel/records/index.ts'
import type { ExplainedValue } from '#wire/records.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import type { RecordSnapshots } from '../deps.ts'
import { canReadAlong } from './can-read-along.ts'
import { canReadAll, canReadChildren, canReadFields } from './can-read-all.ts'
import { presentName } from './present-name.ts'
import { boundSnapshot, plainBinding } from './bound-snapshot.ts'
import { cellRequest } from './cell-request.ts'
import type { RecordCaller } from './record-caller.ts'
import { recomputedShapes } from './recomputed-shapes.ts'
import { recordsJson } from './record-json.ts'

export interface ValueExplanation extends ExplainedValue {
  /** Of a stored formula or a roll-up; null for other fields. */
  bound: BoundValue | null
  /** What a recompute would give now, without storing it; null for other fields. */
  present: PresentValue | null
}

/** The sets, with keys and dates, and flags that an evaluation read. */
export interface ConfigurationReads {
  /** Without the as-of date if the caller cannot read its field. */
  binding: Binding
  /** Null if the keys and dates follow from fields that the caller cannot read. */
  reads: ConfigurationRead[] | null
  /** Whether a value of configuration can decide what else was read of it. */
  followsValues: boolean
}

export interface BoundValue extends ConfigurationReads {
  /** The field as it was in the generation of the value; null if it was not computed then. */
  field: ObjectField | null
  /** The same evaluation again. */
  replay: FieldValue
  /** Whether it has the bytes of the value. */
  identical: boolean
}

export interface PresentValue extends ConfigurationReads {
  /** The field now. */
  field: ObjectField
  /** The formula, or the filter of a roll-up, now; null without one. */
  expression: string | null
  rollUp: ExplainedValue['rollUp']
  value: FieldValue
  differs: boolean
  /** Why it cannot be computed; null if it can. */
  problem: { code: string; message: string } | null
}

export interface Explaining {
  caller: RecordCaller
  snapshots: RecordSnapshots
  reader: RecordReader
  programs: ObjectPrograms
  record: StoredRecord
  field: ObjectField
  id: FieldId
}

/** @param record a record that the caller can see, and `field` one that the caller can read */
export async function explainValue(explaining: Explaining): Promise<ValueExplanation> {
  const { caller, reader, programs, record, field, id } = explaining
  const { object } = programs
  const path = [{ object, field }]
  const [shown] = await recordsJson(caller, reader, object, [record], [{ name: field.key, path }])
  const { key, label = key, type } = field
  const value = shown!.fields[key] ?? null
  const binding = record.bindings.get(id)
  const isStored = field.formula?.stored === true || field.rollup !== undefined
  const archived = binding === undefined ? null : archivedOf(explaining, binding)
  const bound = isStored && binding !== undefined ? await replayed(explaining, value, binding) : null
  const explained = bound ?? (archived === null ? await evaluated(explaining) : null)
  const evaluation = explained?.evaluation ?? null
  return {
    ...{ object, id: record.id, version: record.version, field: key, label, type, value },
    error: shown!.errors?.[key] ?? null,
    problem: explained === null ? null : await shownProblem(explaining, explained),
    kind: kindOf(field),
    expression: evaluation?.expression ?? null,
    rollUp: rollUpOf(evaluation?.field ?? field),
    asOf:
      explained !== null && (await canReadDate(explaining, explained)) ? (evaluation?.asOf ?? null) : null,
    ...(explained === null ? { inputs: [], hiddenInputs: 0 } : await shownInputs(explaining, explained)),
    archived,
    bound: bound?.bound ?? null,
    present: isStored && (archived === null || bound !== null) ? await recomputed(explaining, value) : null,
  }
}

function kindOf({ formula, rollup }: ObjectField): ValueExplanation['kind'] {
  if (rollup !== undefined) return 'roll_up'
  if (formula === undefined) return 'entered'
  return formula.stored ? 'stored_formula' : 'virtual_formula'
}

function rollUpOf({ rollup }: ObjectField): ValueExplanation['rollUp'] {
  return rollup === undefined ? null : { op: rollup.op, child: rollup.child, of: rollup.of ?? null }
}

function archivedOf(
  { caller: { present, access }, programs: { object } }: Explaining,
  { archived, generation, asOf }: StoredBinding,
): ValueExplanation['archived'] {
  if (archived === undefined) return null
  const { archive, at, by, dates } = archived
  const ids = present.names.fieldIds(object)
  const isShown = dates.every(({ field }) => {
    const key = fieldKey(ids, field)
    return key !== undefined && access.canReadField(object, key)
  })
  return { archive, at, by, generation, asOf: isShown ? asOf : null }
}

/**
 * The evaluation at the generation of the binding, with the inputs that are kept beside it; null if the value is archived and
 * the generation was purged.
 */
async function replayed(
  explaining: Explaining,
  value: FieldValue,
  stored: StoredBinding,
): Promise<(Evaluated & { bound: BoundValue }) | null> {
  const { snapshots, record, field, id } = explaining
  const kept = boundSnapshot(snapshots, stored)
  if (kept === null) return null
  const binding = plainBinding(stored)
  const reads = new Map<string, ConfigurationRead>()
  const evaluation = evaluateCell({
    ...(await requestAt(explaining, kept)),
    onRead: recorder(reads),
    scopePath: binding.scopePath,
    kept: record.inputs.get(id) ?? {},
    scale: field.scale,
  })
  const replay = evaluation?.value ?? null
  const shown = await shownReads(explaining, { snapshot: kept, evaluation }, binding, reads)
  const bound = { ...shown, replay, identical: replay === value, field: evaluation?.field ?? null }
  return { snapshot: kept, evaluation, bound }
}

/** The evaluation of a formula at the generation of the request. */
async function evaluated(explaining: Explaining): Promise<Evaluated | null> {
  const { caller, field } = explaining
  if (field.formula === undefined && field.rollup === undefined) return null
  const snapshot = caller.present
  return { snapshot, evaluation: evaluateCell(await requestAt(explaining, snapshot)) }
}

interface Evaluated {
  snapshot: RecordSnapshot
  evaluation: CellEvaluation | null
}

const requestAt = (
  { caller, reader, record, id }: Explaining,
  snapshot: RecordSnapshot,
  values?: RecordState['values'],
): Promise<CellRequest> =>
  cellRequest(reader, {
    ...{ snapshot, record, field: id, scopePath: caller.scopePath },
    ...(values === undefined ? {} : { values }),
  })

/** What a recompute would store. The other cells of the record are computed again too, because the field can read them. */
async function recomputed(explaining: Explaining, value: FieldValue): Promise<PresentValue> {
  const { caller, reader, record, id, field } = explaining
  const { present: snapshot, scopePath } = caller
  const request = { object: record.object, records: [record], snapshot, scopePath }
  const [shape] = await recomputedShapes(reader, request)
  const binding = shape!.bindings.get(id)!
  const reads = new Map<string, ConfigurationRead>()
  const evaluation = evaluateCell({
    ...(await requestAt(explaining, snapshot, shape!.values)),
    onRead: recorder(reads),
    scopePath: storedPath(scopePath, binding, binding.scopePath.app),
  })
  const problem = await shownProblem(explaining, { snapshot, evaluation })
  const now = shape!.values.get(id) ?? null
  return {
    ...(await shownReads(explaining, { snapshot, evaluation }, binding, reads)),
    ...{ value: now, differs: now !== value, problem },
    ...{ field, expression: evaluation?.expression ?? null, rollUp: rollUpOf(field) },
  }
}

/** Why a value cannot be computed: with the place and the operands if the caller can read everything that it reads. */
async function shownProblem(
  explaining: Explaining,
  { snapshot, evaluation }: Evaluated,
): Promise<ExplainedValue['problem']> {
  const { program = null, problem = null, detail = null } = evaluation ?? {}
  if (problem === null) return null
  const { code, message } = problem
  const isShown =
    explaining.field.rollup === undefined &&
    program !== null &&
    (await canReadAll(explaining, snapshot, program))
  return { code, message: isShown ? detail! : message }
}

const recorder =
  (reads: Map<string, ConfigurationRead>) =>
  (read: ConfigurationRead): void =>
    void reads.set(JSON.stringify(read), read)

const inOrder = (reads: ReadonlyMap<string, ConfigurationRead>): ConfigurationRead[] =>
  [...reads.values()].toSorted((a, b) => (a.set === b.set ? 0 : a.set < b.set ? -1 : 1))

/** Whether the caller can read the field with the as-of date. */
async function canReadDate(
  { caller, reader, programs, record }: Explaining,
  { snapshot, evaluation }: Evaluated,
): Promise<boolean> {
  const asOf = evaluation?.asOf ?? null
  if (asOf === null) return true
  const name = presentName(snapshot, caller.present, record.object, [asOf.field])
  return name !== null && canReadAlong(caller, reader, programs, record, name)
}

/** A key or a date with which configuration is read can be the value of a field. */
async function shownReads(
  explaining: Explaining,
  evaluated: Evaluated,
  binding: Binding,
  reads: ReadonlyMap<string, ConfigurationRead>,
): Promise<ConfigurationReads> {
  const { field, program = null } = evaluated.evaluation ?? {}
  const followsValues = program?.program.reads.followsValues ?? false
  if (!(await canReadDate(explaining, evaluated)))
    return { binding: { ...binding, asOf: null }, reads: null, followsValues }
  const { snapshot } = evaluated
  const { caller } = explaining
  const isShown =
    program === null ||
    (field?.rollup === undefined
      ? await canReadFields(explaining, snapshot, program)
      : canReadChildren(caller, snapshot, field.rollup.child, program))
  return { binding, reads: isShown ? inOrder(reads) : null, followsValues }
}

/** The inputs that the caller can read, by their names in the generation of the request. */
export async function shownInputs(
  explaining: Explaining,
  evaluated: Evaluated,
): Promise<Pick<ValueExplanation, 'inputs' | 'hiddenInputs'>> {
  const { caller, reader, programs, record } = explaining
  const { snapshot, evaluation } = evaluated
  const all = evaluation?.inputs ?? []
  const inputs: ValueExplanation['inputs'] = []
  for (const { path, value } of all) {
    const name = presentName(snapshot, caller.present, record.object, path)
    if (name !== null && (await canReadAlong(caller, reader, programs, record, name)))
      inputs.push({ path: name, value: value as FieldValue })
  }
  const date = evaluation?.asOf?.field
  const isCounted = all.some(({ path }) => path.length === 1 && path[0] === date)
  const dates = isCounted || (await canReadDate(explaining, evaluated)) ? 0 : 1
  return { inputs, hiddenInputs: all.length - inputs.length + dates }
}
