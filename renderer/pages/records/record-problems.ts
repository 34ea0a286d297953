// What a page of records shows at the fields of a record that was refused.
import type { FieldDescription } from '../../api/records.ts'
import type { ApiError } from '../../api/request.ts'
import type { TypedValues } from './record-edits.ts'
import { valueFault } from './value-fault.ts'

/** The problems of a refused record, by field. */
export function problemsOf({ details }: ApiError): Record<string, string> {
  const found = (details as { field?: string | null; message?: string }[]).filter(
    ({ field, message }) => typeof field === 'string' && typeof message === 'string',
  )
  return Object.fromEntries(found.map(({ field, message }) => [field!, message!]))
}

/** What an archived value was computed from, in the words of the form; null for any other error. */
export function archivedProblem(
  { code, details }: ApiError,
  fields: readonly FieldDescription[],
): { field: string | null; message: string } | null {
  if (code !== 'record.archived') return null
  const labelOf = (key: string): string => fields.find((field) => field.key === key)?.label ?? key
  const [found] = details as { field: string | null; archived: string | null; dates: readonly string[] }[]
  const { field = null, archived = null, dates = [] } = found ?? {}
  const read = field === null ? 'This change is not possible' : `${labelOf(field)} cannot be changed`
  const value = archived === null ? 'a value that you cannot see' : labelOf(archived)
  const dated = dates.length === 0 ? '' : `, or change ${dates.map(labelOf).join(' or ')} too`
  const message = `${read}, because the evidence of ${value} is archived. Recompute the record first${dated}.`
  return { field, message }
}

/** The typed values that do not fit their fields, in the words of the people who enter records. */
export function faultsOf(fields: readonly FieldDescription[], typed: TypedValues): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = Object.hasOwn(typed, field.key) ? valueFault(field, typed[field.key]!) : null
      return fault === null ? [] : [[field.key, fault]]
    }),
  )
}
