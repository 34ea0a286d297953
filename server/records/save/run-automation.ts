// What the phases with automations share: conditions, refusals and values.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { exprValueToStored, type ExprValue } from '#kernel/expr/index.ts'
import {
  evaluateForRecord,
  failureReason,
  lackingConfiguration,
  objectPrograms,
  parseFieldValue,
  storedForm,
  type ActionProgram,
  type AutomationProgram,
  type FieldProblem,
  type FieldProgram,
} from '#kernel/records/index.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import { shownProblems } from './authorise.ts'
import { nameConfiguration, ownPathIsReadable } from './name-configuration.ts'
import { invalidRecord } from './record-errors.ts'
import type { Save } from './save.ts'
import { viewPrior, viewSave } from './shape.ts'

/** @throws AlmanacError `record.invalid`, naming the automation, if an expression cannot be evaluated */
export function evaluate(save: Save, { key }: AutomationProgram, program: FieldProgram): ExprValue {
  const { present, scopePath } = save.context
  try {
    return evaluateForRecord({ snapshot: present, scopePath }, program, viewSave(save), {
      prior: viewPrior(save),
    })
  } catch (error) {
    const reason = failureReason(error)
    if (reason === null) throw error
    const message = `The automation ${key} failed. ${reason.text}`
    const lacking = lackingConfiguration(error, program)
    throw refusal(save, { field: null, code: reason.code, message, automation: key, ...lacking })
  }
}

export function isTriggered(save: Save, automation: AutomationProgram): boolean {
  return automation.when === null || evaluate(save, automation, automation.when) === true
}

/** @throws AlmanacError `record.invalid` if the action is to refuse the save */
export function raise(save: Save, automation: AutomationProgram, { action, program }: ActionProgram): void {
  if (action.type !== 'raise') return
  const when = program('when')
  if (when !== null && evaluate(save, automation, when) !== true) return
  const field = action.field === undefined ? null : (save.programs.field(action.field)?.key ?? action.field)
  throw refusal(save, { field, code: 'record.raised', message: action.message, automation: automation.key })
}

/** The values of an action by field, in their stored form. @throws AlmanacError `record.invalid` */
export function actionValues(
  save: Save,
  automation: AutomationProgram,
  { program }: ActionProgram,
  { object, values }: { object: string; values: Readonly<Record<string, string>> },
): [ObjectField, FieldValue][] {
  const target = objectPrograms(save.context.present.view, object)
  return Object.keys(values).flatMap((name): [ObjectField, FieldValue][] => {
    const field = target?.field(name)
    const source = program('values', name)
    if (field === undefined || source === null) return []
    return [[field, storedValue(save, automation, field, evaluate(save, automation, source))]]
  })
}

function storedValue(
  save: Save,
  { key }: AutomationProgram,
  field: ObjectField,
  value: ExprValue,
): FieldValue {
  const refuse = (message: string): AlmanacError =>
    refusal(save, { field: field.key, code: 'record.value', message, automation: key })
  let stored: FieldValue
  try {
    stored = exprValueToStored(value, storedForm(field))
  } catch (error) {
    const reason = failureReason(error)
    throw reason === null ? error : refuse(`The automation ${key} cannot set ${field.key}. ${reason.text}`)
  }
  const parsed = parseFieldValue(field, stored, save.context.present.view)
  if (!parsed.ok)
    throw refuse(`The automation ${key} cannot set ${field.key}. The result does not fit the field.`)
  return parsed.value
}

/** The error of a save that an action has led to, without what the user cannot see. */
export function actionError(save: Save, { key }: AutomationProgram, object: string, error: unknown): unknown {
  if (!(error instanceof AlmanacError) || !missingRights.has(error.code)) return error
  const reason = save.context.access.canSeeObject(object)
    ? error.message
    : 'It needs a right that you do not have.'
  const message = `The automation ${key} failed. ${reason}`
  return refusal(save, { field: null, code: 'access.denied', message, automation: key })
}

/** What a save of a user without the rights for it fails with. */
const missingRights: ReadonlySet<string> = new Set(['access.denied', 'object.not_found', 'record.not_found'])

function refusal(save: Save, problem: FieldProblem): AlmanacError {
  const [shown] = nameConfiguration(save, [problem], ownPathIsReadable)
  return invalidRecord(save.object, save.chain, shownProblems(save, [shown!]))
}
