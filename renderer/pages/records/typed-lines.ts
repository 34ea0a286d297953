// What was typed into a record, in words.
import type { ObjectDescription } from '../../api/records.ts'
import type { TypedValues } from './record-edits.ts'
import { recordValueWords } from './record-words.ts'

export interface TypedLine {
  /** Key of the field. */
  field: string
  label: string
  words: string
}

/** @param displays names of records that typed references name, by field; a record without one is shown by its ID */
export function typedLines(
  { fields }: ObjectDescription,
  typed: TypedValues,
  displays: Readonly<Record<string, string>>,
): TypedLine[] {
  return fields.flatMap((field) => {
    if (!Object.hasOwn(typed, field.key)) return []
    const value = typed[field.key]!
    const name = field.references === null ? '' : (displays[field.key] ?? '')
    return [{ field: field.key, label: field.label, words: name || recordValueWords(field, value) }]
  })
}
