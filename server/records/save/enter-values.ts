// Checks the sent values and enters them into the record.
import { didYouMean } from '#kernel/errors/suggest.ts'
import { parseFieldValue, type FieldId, type FieldProblem } from '#kernel/records/index.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { fieldDenial, requireCreate } from './authorise.ts'
import { invalidRecord } from './record-errors.ts'
import type { Phase, Save } from './save.ts'

/** Problems that are listed: a request can have thousands, and others wait for it. */
const maxProblems = 20

/** @throws AlmanacError `record.invalid` with its problems */
export const enterValues: Phase = {
  name: 'enter',
  run(save) {
    const { object, programs, ids, sent, before } = save
    if (before === null) requireCreate(save)
    const problems: FieldProblem[] = []
    const entered = new Map<string, string>()
    for (const [name, input] of Object.entries(sent)) {
      if (problems.length === maxProblems) break
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
    takeOwnership(save)
  },
}

/** Erased values are not parsed: the hash of a value does not follow the rules of its field. */
export const enterErased: Phase = {
  name: 'enter',
  run({ erased, values, before, ids }) {
    for (const [field, value] of erased!) values.set(field, value)
    for (const field of removedCells(before!, ids)) values.set(field, null)
  },
}

/** Called after SHAPE, which keeps what the cells of removed fields have read. */
export const eraseInputs: Phase = {
  name: 'shape',
  run({ shape, before, ids }) {
    for (const field of removedCells(before!, ids)) shape!.inputs.delete(field)
  },
}

/** Stored formulas of fields that were removed from the object: nothing computes them again. */
function removedCells({ bindings }: StoredRecord, ids: Save['ids']): FieldId[] {
  const known = new Set(ids.values())
  return [...bindings.keys()].filter((field) => !known.has(field))
}

function problemOf(
  save: Save,
  name: string,
  field: ObjectField | undefined,
  entered: ReadonlyMap<string, string>,
): FieldProblem | null {
  const { object, programs } = save
  const denial = field === undefined ? null : fieldDenial(save, name, field)
  if (field === undefined || denial === 'hidden') {
    const known = programs.body.fields.filter((each) => fieldDenial(save, name, each) !== 'hidden')
    const message = `${object} has no field "${name}".${didYouMean(
      name,
      known.map(({ key }) => key),
    )}`
    return { field: name, code: 'record.unknown_field', message }
  }
  if (field.formula !== undefined || field.rollup !== undefined) {
    const message = `${field.label ?? field.key} is computed and cannot be entered. Remove it from the record.`
    return { field: name, code: 'record.computed_field', message }
  }
  if (denial !== null) return denial
  const other = entered.get(field.key)
  if (other === undefined) return null
  const message = `"${other}" and "${name}" are names of the same field. Send one of them.`
  return { field: name, code: 'record.value', message }
}

/** An empty owner field takes the creator. */
function takeOwnership({ context, programs, ids, values, missing }: Save): void {
  const { ownerField } = programs.body.sharing
  const owner = ownerField === undefined ? undefined : programs.field(ownerField)
  if (owner === undefined || owner.formula !== undefined || owner.rollup !== undefined) return
  const id = ids.get(owner.key)!
  if ((values.get(id) ?? null) === null && !missing.has(id)) values.set(id, context.actor)
}
