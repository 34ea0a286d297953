// How much a record takes in memory.
import { textLength } from '../../../ports/page-size.ts'
import type { StoredRecord } from '../../../ports/record-store.ts'

/** What a value takes beside its text. */
const perValue = 32

/** About as many characters as a record takes in memory. */
export function weightOf({ values, bindings, inputs }: StoredRecord): number {
  let weight = (values.size + bindings.size) * perValue
  for (const value of values.values()) weight += textLength(value)
  // Kept inputs are values of this record or of others.
  return inputs.size === 0 ? weight : weight + JSON.stringify([...inputs.values()]).length
}
