// Checks the values that a client sends for a row of a virtual object, before anything is sent to its source.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { remoteRangeOf } from '#kernel/components/object/remote-range.ts'
import { remoteTypeOf } from '#kernel/components/object/remote-type.ts'
import { isInRange, rangeInWords } from '#kernel/decimal/integer-range.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { parseFieldValue, type FieldProblem, type ObjectPrograms } from '#kernel/records/index.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { invalidRecord } from '../save/record-errors.ts'

/** By the keys or aliases of fields. */
export type SentValues = Readonly<Record<string, unknown>>

/** @throws AlmanacError `record.invalid` with every problem */
export function valuesOf(
  caller: RecordCaller,
  programs: ObjectPrograms,
  sent: SentValues,
): Map<string, FieldValue> {
  const values = new Map<string, FieldValue>()
  const problems: FieldProblem[] = []
  for (const [name, input] of Object.entries(sent)) {
    const field = programs.field(name)
    const problem = problemOf(caller, programs, name, field)
    const parsed = problem === null ? parseFieldValue(field!, input, caller.present.view) : null
    if (problem !== null) problems.push(problem)
    else if (values.has(field!.key))
      problems.push({
        field: name,
        code: 'record.value',
        message: `"${name}" is sent twice, also by an alias.`,
      })
    else {
      const message = parsed!.ok ? rangeProblem(field!, parsed!.value) : parsed!.message
      if (message === null) values.set(field!.key, (parsed as { value: FieldValue }).value)
      else problems.push({ field: name, code: 'record.value', message })
    }
  }
  if (problems.length > 0) throw invalidRecord(programs.object, [], problems)
  return values
}

/** Why a whole number cannot be sent, in words; a source can round it, or keep only its last bits. */
function rangeProblem(field: ObjectField, value: FieldValue): string | null {
  const range = remoteRangeOf(remoteTypeOf(field))
  if (range === null || typeof value !== 'string' || isInRange(value, range)) return null
  return `${field.label ?? field.key} must be ${rangeInWords(range)}, because it is ${remoteTypeOf(field)} in the source.`
}

function problemOf(
  { access }: RecordCaller,
  { object, body }: ObjectPrograms,
  name: string,
  field: ObjectField | undefined,
): FieldProblem | null {
  const isReadable = (each: ObjectField): boolean => access.canReadField(object, each.key)
  if (field === undefined || !isReadable(field)) {
    const known = body.fields.filter(isReadable).map(({ key }) => key)
    const message = `${object} has no field "${name}".${didYouMean(name, known)}`
    return { field: name, code: 'record.unknown_field', message }
  }
  const title = field.label ?? field.key
  if (field.formula !== undefined)
    return {
      ...{ field: name, code: 'record.computed_field' },
      message: `${title} is computed and cannot be entered. Remove it from the record.`,
    }
  if (field.readOnly === true)
    return {
      ...{ field: name, code: 'record.computed_field' },
      message: `${title} is set by the source and cannot be entered. Remove it from the record.`,
    }
  if (access.canEditField(object, field.key)) return null
  const message = `${title} can be read but not changed by ${access.user}. A permission set must allow "edit" on ${object}.${field.key}.`
  return { field: name, code: 'access.denied', message }
}

/** @throws AlmanacError `record.invalid` naming each required field without a value */
export function requireValues(
  { object, body }: ObjectPrograms,
  valueOf: (field: ObjectField) => FieldValue,
): void {
  const missing = body.fields.filter(
    (field) =>
      field.required && field.readOnly !== true && field.formula === undefined && valueOf(field) === null,
  )
  if (missing.length === 0) return
  throw invalidRecord(
    object,
    [],
    missing.map(({ key, label }): FieldProblem => ({
      ...{ field: key, code: 'record.required', message: `${label ?? key} is required.` },
    })),
  )
}
