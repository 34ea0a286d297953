// How much of the records is in memory at once.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'

/** A page ends after the record or the change with which it exceeds this number of characters. */
export const maxPageCharacters = 4 * 1024 * 1024

/** What a value takes beside its text. */
const perValue = 32

export const textLength = (value: FieldValue): number => (typeof value === 'string' ? value.length : 0)

/** About as many characters as a record takes in memory. */
export function weightOf({ values, bindings, inputs }: StoredRecord): number {
  let weight = (values.size + bindings.size) * perValue
  for (const value of values.values()) weight += textLength(value)
  // Kept inputs are values of this record or of others.
  return inputs.size === 0 ? weight : weight + JSON.stringify([...inputs.values()]).length
}
