// VALIDATE: values, required fields, rules, references and unique fields.
import { validateRecord, type FieldProblem } from '#kernel/records/index.ts'
import { canSee, refusedRecord } from './authorise.ts'
import { requireUnreadByArchived } from './enter-marks.ts'
import { nameConfiguration, readablePaths } from './name-configuration.ts'
import type { Phase, Save } from './save.ts'
import { viewPrior, viewSave } from './shape.ts'

/** @throws AlmanacError `record.invalid` with every problem, `record.archived` */
export const validate: Phase = {
  name: 'validate',
  async run(save) {
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
    problems.push(...(await unknownReferences(save)), ...(await takenValues(save)))
    if (problems.length === 0) return
    const readable = await readablePaths(save, problems)
    const named = nameConfiguration(save.context, problems, (path) => readable.has(path))
    throw refusedRecord(save, named)
  },
}

/** References that were entered and name no record that the user can see. */
async function unknownReferences(save: Save): Promise<FieldProblem[]> {
  const { context, programs, ids, before, values } = save
  const problems: FieldProblem[] = []
  for (const { key, label, type, references, formula } of programs.body.fields) {
    if (type !== 'reference' || formula !== undefined) continue
    const value = values.get(ids.get(key)!) ?? null
    if (value === null || value === before?.values.get(ids.get(key)!)) continue
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
async function takenValues({
  context,
  programs,
  ids,
  id,
  objectId,
  before,
  values,
}: Save): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  for (const { key, label, unique } of programs.body.fields) {
    const field = ids.get(key)!
    const value = values.get(field) ?? null
    if (!unique || value === null || value === before?.values.get(field)) continue
    const holders = await context.tx.find(objectId, field, value, 2)
    if (holders.every((holder) => holder.id === id)) continue
    const message = `${label ?? key}: another record has the value ${JSON.stringify(value)}. Enter a different one.`
    problems.push({ field: key, code: 'record.not_unique', message })
  }
  return problems
}
