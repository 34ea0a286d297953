// VALIDATE: values, required fields, rules, references and unique fields.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { rowPrograms, validateRecord, type FieldProblem, type ObjectPrograms } from '#kernel/records/index.ts'
import { canSee, refusedRecord } from './authorise.ts'
import { requireUnreadByArchived } from './enter-marks.ts'
import { nameFailures, readablePaths } from './name-failures.ts'
import type { Phase, Save } from './save.ts'
import { viewPrior, viewSave } from './shape.ts'

/** @throws AlmanacError `record.invalid` with every problem, `record.archived` */
export const validate: Phase = {
  name: 'validate',
  run(save) {
    requireUnreadByArchived(save)
    const { context, shape } = save
    const ofCells = shape!.problems
    const problems: FieldProblem[] =
      ofCells.length > 0
        ? ofCells
        : validateRecord({
            record: viewSave(save),
            prior: viewPrior(save),
            present: context.present,
            scopePath: context.scopePath,
          })
    const fields = storedFields(save)
    if (problems.length > 0 || fields.length > 0) return checkStored(save, fields, problems)
  },
}

/** @throws AlmanacError `record.invalid` with every problem */
async function checkStored(
  save: Save,
  fields: readonly ObjectField[],
  problems: readonly FieldProblem[],
): Promise<void> {
  const all = [...problems, ...(await unknownReferences(save, fields)), ...(await takenValues(save, fields))]
  if (all.length === 0) return
  const readable = await readablePaths(save, all)
  const named = nameFailures(save.context, all, (path) => readable.has(path))
  throw refusedRecord(save, named)
}

const checked = new WeakMap<ObjectPrograms, readonly ObjectField[]>()

/** References that are entered and unique fields that the save changes: other records decide whether they are valid. */
function storedFields({ programs, ids, before, values }: Save): ObjectField[] {
  let fields = checked.get(programs)
  if (fields === undefined) {
    fields = programs.body.fields.filter(
      ({ type, formula, unique }) => unique || (type === 'reference' && formula === undefined),
    )
    checked.set(programs, fields)
  }
  return fields.filter(({ key }) => {
    const value = values.get(ids.get(key)!) ?? null
    return value !== null && value !== before?.values.get(ids.get(key)!)
  })
}

/** References that were entered and name no record that the user can see. */
async function unknownReferences(save: Save, fields: readonly ObjectField[]): Promise<FieldProblem[]> {
  const { context, ids, values } = save
  const problems: FieldProblem[] = []
  for (const { key, label, type, references, formula } of fields) {
    if (type !== 'reference' || formula !== undefined) continue
    // Its source would have to be called inside of the save; such a reference is checked when it is read.
    if (rowPrograms(context.present.view, references!)?.isVirtual === true) continue
    const value = values.get(ids.get(key)!)
    const target = context.present.names.objectId(references!)
    const found = target === undefined ? [] : await context.tx.get(target, [String(value)])
    const [record] = found
    if (record !== undefined && (await canSee(save, references!, record))) continue
    const message = `${label ?? key}: ${references} has no record ${String(value)}.`
    problems.push({ field: key, code: 'record.unknown_reference', message })
  }
  return problems
}

/** Values of unique fields that another record has. */
async function takenValues(
  { context, ids, id, objectId, values }: Save,
  fields: readonly ObjectField[],
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  for (const { key, label, unique } of fields) {
    if (!unique) continue
    const field = ids.get(key)!
    const value = values.get(field)!
    const holders = await context.tx.find(objectId, field, value, 2)
    if (holders.every((holder) => holder.id === id)) continue
    const message = `${label ?? key}: Another record has the value ${JSON.stringify(value)}. Enter a different one.`
    problems.push({ field: key, code: 'record.not_unique', message })
  }
  return problems
}
