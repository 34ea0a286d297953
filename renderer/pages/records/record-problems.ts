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

/** The typed values that do not fit their fields, in the words of the people who enter records. */
export function faultsOf(fields: readonly FieldDescription[], typed: TypedValues): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = Object.hasOwn(typed, field.key) ? valueFault(field, typed[field.key]!) : null
      return fault === null ? [] : [[field.key, fault]]
    }),
  )
}
