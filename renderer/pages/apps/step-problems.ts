// Checks what is entered in a step of a flow, in the words of the server. Rules of the object are checked by the save.
import { parsePlainValue } from '#kernel/records/parse-plain-value.ts'
import type { FieldDescription, RecordValue, SectionDescription } from '../../api/records.ts'
import { valueFault } from '../records/value-fault.ts'

/** The fields that a step asks for, in the order of its items. */
export function fieldsOfStep(
  sections: readonly SectionDescription[],
  fields: readonly FieldDescription[],
): FieldDescription[] {
  const names = sections.flatMap(({ items }) =>
    items.map(({ type, key, inputs }) => (type === 'field' ? key : String(inputs['field'] ?? ''))),
  )
  return [...new Set(names)].flatMap(
    (name) => fields.find(({ key, editable }) => editable && key === name) ?? [],
  )
}

/** The first problem of each field; empty if the step is complete. */
export function stepProblems(
  fields: readonly FieldDescription[],
  values: Readonly<Record<string, RecordValue>>,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const problem = problemOf(field, values[field.key] ?? null)
      return problem === null ? [] : [[field.key, problem]]
    }),
  )
}

function problemOf(field: FieldDescription, value: RecordValue): string | null {
  const { type, label: name, unique } = field
  if (value === null) return field.required && !field.hasDefault ? `${name} is required.` : null
  const fault = valueFault(field, value)
  if (fault !== null) return fault
  // Their inputs offer only values that exist.
  if (type === 'enum' || type === 'reference') return null
  const precision = field.precision ?? undefined
  const scale = field.scale ?? undefined
  const parsed = parsePlainValue({ type, name, unique, precision, scale }, value)
  return parsed.ok ? null : parsed.message
}
