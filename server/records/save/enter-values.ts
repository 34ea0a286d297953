// Checks the sent values and enters them into the record.
import { didYouMean } from '#kernel/errors/suggest.ts'
import { parseFieldValue, type FieldProblem } from '#kernel/records/index.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { invalidRecord } from './record-errors.ts'
import type { Phase, Save } from './save.ts'

/** @throws AlmanacError `record.invalid` with every problem */
export const enterValues: Phase = {
  name: 'enter',
  async run(save) {
    const { object, programs, ids, sent, before } = save
    const problems: FieldProblem[] = []
    const entered = new Map<string, string>()
    for (const [name, input] of Object.entries(sent)) {
      const field = programs.field(name)
      const problem = problemOf(save, name, field, entered)
      if (problem !== null) problems.push(problem)
      if (field === undefined || problem !== null) continue
      entered.set(field.key, name)
      const id = ids.get(field.key)!
      const parsed = parseFieldValue(field, input, save.context.present.view, before?.values.get(id) ?? null)
      if (parsed.ok) save.values.set(id, parsed.value)
      else problems.push({ field: name, code: 'record.value', message: parsed.message })
    }
    if (problems.length > 0) throw invalidRecord(object, [], problems)
    if (before !== null) return
    save.context.found.set(save.id, null)
    for (const field of programs.body.fields)
      if (field.default !== undefined && !entered.has(field.key)) save.missing.add(ids.get(field.key)!)
  },
}

function problemOf(
  { object, programs }: Save,
  name: string,
  field: ObjectField | undefined,
  entered: ReadonlyMap<string, string>,
): FieldProblem | null {
  if (field === undefined) {
    const known = programs.body.fields.map(({ key }) => key)
    const message = `${object} has no field "${name}".${didYouMean(name, known)}`
    return { field: name, code: 'record.unknown_field', message }
  }
  if (field.formula !== undefined || field.rollup !== undefined) {
    const message = `${field.label ?? field.key} is computed and cannot be entered. Remove it from the record.`
    return { field: name, code: 'record.computed_field', message }
  }
  const other = entered.get(field.key)
  if (other === undefined) return null
  const message = `"${other}" and "${name}" are names of the same field. Send one of them.`
  return { field: name, code: 'record.value', message }
}
