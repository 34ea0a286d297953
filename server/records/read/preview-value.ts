// The value that an expression has for a record, while it is written: nothing is stored. It is outside of logic, so it
// needs the right to read every field and every set that it reads (docs/reference/access.md).
import type { ExpressionPlace } from '#kernel/components/expression-slot.ts'
import { parseAsOf } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  exprValueToStored,
  partsOfExpression,
  typeName,
  type StoredForm,
  valueToJson,
} from '#kernel/expr/index.ts'
import {
  asOfDate,
  compileFieldProgram,
  evaluateForRecord,
  failureReason,
  viewValues,
  type FieldProgram,
  type ObjectPrograms,
  type RecordView,
} from '#kernel/records/index.ts'
import type { ValuePreview } from '#wire/records.ts'
import { requireVisibleValues, visibilityIn, visibleView, type EffectiveAccess } from '../../access/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { loadFor } from '../save/related-records.ts'
import { canReadAlong } from './can-read-along.ts'
import type { RecordCaller } from './record-caller.ts'

export interface PreviewRequest extends ExpressionPlace {
  expression: string
  /** The as-of date, `YYYY-MM-DD`; if omitted, that of the record. */
  asOf?: string
  /** How the field stores the value; if omitted, the value is as it was computed. */
  stored?: StoredForm
}

interface Previewing {
  caller: RecordCaller
  access: EffectiveAccess
  reader: RecordReader
  programs: ObjectPrograms
  /** A record that the caller can see. */
  record: StoredRecord
}

/** Parts whose values are computed. */
const maxParts = 60

/** @throws AlmanacError `expression.invalid`, `access.denied`, `config.unknown_set` */
export async function previewValue(
  previewing: Previewing,
  { expression, site, expects, asOf, stored }: PreviewRequest,
): Promise<ValuePreview> {
  const { caller, access, reader, programs, record } = previewing
  const { present: snapshot, scopePath } = caller
  const view = access.platformRoot
    ? snapshot.view
    : visibleView(snapshot.view, visibilityIn(access, snapshot.view))
  const compile = (source: string, type: ExpressionPlace['expects']): FieldProgram =>
    compileFieldProgram('The expression', source, site, type, view)
  const program = compile(expression, expects)
  await requireReadable(previewing, program, asOf === undefined && site.kind !== 'rollup_filter')
  const loaded = await loadFor(reader, { snapshot, object: programs.object, records: [record.values] }, [
    program,
  ])
  const own = viewValues(programs.object, record.values, snapshot, loaded)
  const dated = datedView(program, site.kind === 'rollup_filter' ? undated(own) : own, asOf)
  const context = { snapshot, scopePath }
  const evaluate = (of: FieldProgram): ReturnType<typeof evaluateForRecord> =>
    evaluateForRecord(context, of, own, {
      ...{ id: record.id, dated },
      prior: site.kind === 'field_default' ? null : own,
    })
  return {
    object: programs.object,
    type: typeName(program.program.type),
    ...outcomeOf(() => {
      const value = evaluate(program)
      return stored === undefined ? valueToJson(value) : exprValueToStored(value, stored)
    }),
    asOf: asOfOf(program, dated),
    parts: partsOfExpression(expression, site, view)
      .slice(0, maxParts)
      .map(({ start, end }) => {
        const part = (): FieldProgram => compile(expression.slice(start, end), 'any')
        return { start, end, value: outcomeOf(() => valueToJson(evaluate(part()))).value }
      }),
  }
}

/** A roll-up is dated by the parent, which is not chosen here. */
const undated = (child: RecordView): RecordView => ({ ...child, value: () => null })

function asOfOf({ program }: FieldProgram, dated: RecordView): ValuePreview['asOf'] {
  if (!program.dated || program.asOfField === null) return null
  return { field: program.asOfField.field, date: asOfDate(program, dated) }
}

/** The record as if its as-of field had the date. */
function datedView({ program: { asOfField } }: FieldProgram, own: RecordView, asOf?: string): RecordView {
  if (asOfField === null || asOf === undefined) return own
  const date = parseAsOf(asOf)
  return { ...own, value: (field) => (field === asOfField.field ? date : own.value(field)) }
}

function outcomeOf(compute: () => ValuePreview['value']): Pick<ValuePreview, 'value' | 'problem'> {
  try {
    return { value: compute(), problem: null }
  } catch (error) {
    const reason = failureReason(error)
    if (reason === null) throw error
    return { value: null, problem: { code: reason.code, message: reason.text } }
  }
}

/** @throws AlmanacError `access.denied` for what the caller cannot read; of a set that must not be known, as if it did not exist */
async function requireReadable(
  { caller, access, reader, programs, record }: Previewing,
  { program, paths }: FieldProgram,
  readsDate: boolean,
): Promise<void> {
  const { deepSets, deepFlags } = program.reads
  const visibility = visibilityIn(access, caller.present.view)
  for (const set of [...deepSets.map(({ set }) => set), ...deepFlags])
    requireVisibleValues(visibility, set, access.user)
  const { dated, asOfField } = program
  const names = paths.map(({ path }) => path.join('.'))
  if (readsDate && dated && asOfField !== null) names.push(asOfField.field)
  for (const name of names) {
    if (!(await canReadAlong(caller, reader, programs, record, name)))
      throw new AlmanacError(
        'access.denied',
        `You cannot read ${name} of this record, so no value is shown for an expression that reads it.`,
      )
  }
}
