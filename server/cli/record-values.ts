// Values of records in a command and in a file.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { UsageError } from './fail.ts'
import type { ObjectDescription } from '../records/index.ts'

/** A value for a terminal or a table; empty if it is absent. */
export const valueText = (value: FieldValue | undefined): string => (value == null ? '' : String(value))

/** `name=value` as the values of a record; an empty value is absent. @throws UsageError */
export function assignments(texts: readonly string[], object: ObjectDescription): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`A value is written as field=value, not "${text}".`)
    const name = text.slice(0, at)
    if (Object.hasOwn(values, name)) throw new UsageError(`${name} has two values.`)
    values[name] = typedValue(object, name, text.slice(at + 1))
  }
  return values
}

/** The server checks everything else, and names the field. */
export function typedValue({ fields }: ObjectDescription, name: string, text: string): FieldValue {
  if (text === '') return null
  const field = fields.find(({ key, aliases }) => key === name || aliases.includes(name))
  if (field?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
