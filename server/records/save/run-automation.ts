// What the runs of automations share: conditions, refusals and values.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { exprValueToStored, type ExprValue } from '#kernel/expr/index.ts'
import {
  expressionFailure,
  failureReason,
  objectPrograms,
  parseFieldValue,
  storedForm,
  type ActionProgram,
  type FieldProgram,
} from '#kernel/records/index.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { AutomationRun } from './automation-run.ts'

/** @throws AlmanacError `record.invalid`, naming the automation, if an expression cannot be evaluated */
export function evaluate(run: AutomationRun, program: FieldProgram): ExprValue {
  const { key } = run.automation
  try {
    return run.valueOf(program)
  } catch (error) {
    const reason = failureReason(error)
    if (reason === null) throw error
    const messageOf = (text: string): string => `The automation ${key} failed. ${text}`
    const message = messageOf(reason.text)
    const failure = expressionFailure(error, program, messageOf)
    throw run.refusal({ field: null, code: reason.code, message, automation: key, ...failure })
  }
}

export function isTriggered(run: AutomationRun): boolean {
  const { when } = run.automation
  return when === null || evaluate(run, when) === true
}

/** @throws AlmanacError `record.invalid` if the action is to refuse the save or the call */
export function raise(run: AutomationRun, { action, program }: ActionProgram): void {
  if (action.type !== 'raise') return
  const when = program('when')
  if (when !== null && evaluate(run, when) !== true) return
  const field = action.field === undefined ? null : run.fieldNamed(action.field)
  const automation = run.automation.key
  throw run.refusal({ field, code: 'record.raised', message: action.message, automation })
}

/** The values of an action by field, in their stored form. @throws AlmanacError `record.invalid` */
export function actionValues(
  run: AutomationRun,
  { program }: ActionProgram,
  { object, values }: { object: string; values: Readonly<Record<string, string>> },
): [ObjectField, FieldValue][] {
  const target = objectPrograms(run.context.present.view, object)
  return Object.keys(values).flatMap((name): [ObjectField, FieldValue][] => {
    const field = target?.field(name)
    const source = program('values', name)
    if (field === undefined || source === null) return []
    return [[field, storedValue(run, field, evaluate(run, source))]]
  })
}

function storedValue(run: AutomationRun, field: ObjectField, value: ExprValue): FieldValue {
  const { key } = run.automation
  const refuse = (message: string): AlmanacError =>
    run.refusal({ field: field.key, code: 'record.value', message, automation: key })
  let stored: FieldValue
  try {
    stored = exprValueToStored(value, storedForm(field))
  } catch (error) {
    const reason = failureReason(error)
    throw reason === null ? error : refuse(`The automation ${key} cannot set ${field.key}. ${reason.text}`)
  }
  const parsed = parseFieldValue(field, stored, run.context.present.view)
  if (!parsed.ok)
    throw refuse(`The automation ${key} cannot set ${field.key}. The result does not fit the field.`)
  return parsed.value
}

/** The error of a save that an action has led to, without what the user cannot see. */
export function actionError(run: AutomationRun, object: string, error: unknown): unknown {
  if (!(error instanceof AlmanacError)) return error
  const { key } = run.automation
  const details = error.details as readonly { code?: unknown }[]
  // Actions write only fields that exist, so the user cannot see one of them.
  const isHidden = details.some(({ code }) => code === 'record.unknown_field')
  if (!isHidden && error.code === 'record.invalid')
    return new AlmanacError(error.code, error.message, {
      details: details.map((detail) => ({ automation: key, ...detail })),
    })
  if (!isHidden && !missingRights.has(error.code)) return error
  const reason =
    !isHidden && run.context.access.canSeeObject(object)
      ? error.message
      : 'It needs a right that you do not have.'
  const message = `The automation ${key} failed. ${reason}`
  return run.refusal({ field: null, code: 'access.denied', message, automation: key })
}

/** What a save of a user without the rights for it fails with. */
const missingRights: ReadonlySet<string> = new Set(['access.denied', 'object.not_found', 'record.not_found'])
