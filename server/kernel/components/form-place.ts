// Finds the field of a form that a JSON pointer leads to, and the form's labels of the properties around it.
import type { FieldDescriptor, FormDescriptor } from './form.ts'

export interface FormFieldPlace {
  /** The field that the pointer leads to; undefined if the form has none. */
  field: FieldDescriptor | undefined
  /** The fields next to it, from the outermost level to its own, then the fields inside it. */
  levels: (readonly FieldDescriptor[])[]
  /** Whether the pointer leads to an item of the field's list. */
  isItem: boolean
}

export function fieldPlaceAt(form: FormDescriptor, pointer: string): FormFieldPlace {
  const steps = pointer.split('/').slice(2)
  let level: readonly FieldDescriptor[] = form.sections.flatMap(({ fields }) => fields)
  const levels = [level]
  for (let at = 0; ;) {
    const field = level.find(({ path }) => path.split('.').every((name, step) => steps[at + step] === name))
    if (field === undefined) return { field, levels, isItem: false }
    at += field.path.split('.').length
    level = field.fields ?? []
    levels.push(level)
    const isItem = isList(field) && at < steps.length
    if (isItem) at += 1
    if (at >= steps.length) return { field, levels, isItem }
  }
}

const isList = ({ widget }: FieldDescriptor): boolean => ['grid', 'list', 'map', 'chain'].includes(widget)

/** The label of each property name of a form; for a name with several labels, the innermost one. */
export function labelsOf(form: FormDescriptor, levels: FormFieldPlace['levels']): Map<string, string> {
  const labels = new Map<string, string>()
  for (const field of [...allFields(form), ...levels.flat()])
    for (const name of [field.path, field.path.split('.').at(-1)!]) labels.set(name, field.label)
  return labels
}

export function allFields(form: FormDescriptor): FieldDescriptor[] {
  const withNested = (field: FieldDescriptor): FieldDescriptor[] => [
    field,
    ...(field.fields ?? []).flatMap(withNested),
  ]
  return form.sections.flatMap(({ fields }) => fields).flatMap(withNested)
}
