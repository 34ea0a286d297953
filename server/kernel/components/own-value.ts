// Returns a value of a row by its field, never an inherited property: a field can be called `constructor`.
import type { FieldValue } from './field-types.ts'

export function ownValue(
  values: Readonly<Record<string, FieldValue>>,
  field: string,
): FieldValue | undefined {
  return Object.hasOwn(values, field) ? values[field] : undefined
}
