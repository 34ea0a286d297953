// VALIDATE: required fields and validation rules, over a record whose cells are computed.
import type { ScopePath } from '../components/scopes.ts'
import { evaluateForRecord } from './evaluate-record.ts'
import { expressionFailure, failureReason, type FieldProblem } from './field-problem.ts'
import { objectPrograms } from './object-programs.ts'
import type { RecordSnapshot } from './record-state.ts'
import type { RecordView } from './record-view.ts'
import { fieldsRead } from './virtual-reads.ts'

export interface ValidationInput {
  record: RecordView
  /** The record as it was before the save; null if the save adds it. */
  prior: RecordView | null
  present: RecordSnapshot
  scopePath: ScopePath
}

/** Returns all problems; rules are checked only if every required field is present. */
export function validateRecord({ record, prior, present, scopePath }: ValidationInput): FieldProblem[] {
  const programs = objectPrograms(present.view, record.object)!
  const missing = programs.body.fields.flatMap((field): FieldProblem[] => {
    if (!field.required || record.value(field.key) !== null) return []
    return [
      { field: field.key, code: 'record.required', message: `${field.label ?? field.key} is required.` },
    ]
  })
  if (missing.length > 0) return missing
  return programs.body.validationRules.flatMap((rule): FieldProblem[] => {
    const field = rule.field === undefined ? null : (programs.field(rule.field)?.key ?? null)
    const about = { field, rule: rule.key }
    try {
      const isRefused = evaluateForRecord({ snapshot: present, scopePath }, programs.rule(rule), record, {
        prior,
      })
      return isRefused === true ? [{ ...about, code: 'record.rule', message: rule.message }] : []
    } catch (error) {
      const reason = failureReason(error)
      if (reason === null) throw error
      const program = programs.rule(rule)
      const messageOf = (text: string): string => `The rule ${rule.key} cannot be evaluated. ${text}`
      const read = fieldsRead(present.view, record.object, program)
      return [
        {
          ...{ ...about, code: reason.code, message: messageOf(reason.text) },
          ...expressionFailure(error, program, messageOf, read),
        },
      ]
    }
  })
}
