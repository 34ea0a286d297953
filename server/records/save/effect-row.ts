// What an action leaves for after the commit: an event to publish, or a call to send.
import type { AutomationAction } from '#kernel/components/automation/body.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { valueToJson } from '#kernel/expr/index.ts'
import { objectPrograms, type ActionProgram, type FieldProgram } from '#kernel/records/index.ts'
import type { RecordEffect } from '../../ports/record-store.ts'
import { evaluate } from './run-automation.ts'
import type { AutomationRun } from './automation-run.ts'

type Deferrable = Extract<AutomationAction, { type: 'publish' | 'enqueue' }>

/** @throws AlmanacError `record.invalid` if an expression cannot be evaluated */
export function effectOf(run: AutomationRun, step: ActionProgram, action: Deferrable): RecordEffect {
  const { context, automation, record } = run
  const deferred: string[] = []
  const value = (...path: string[]): unknown => {
    const program = step.program(...path)
    if (program === null) return null
    if (readsSensitive(context.present.view, program)) {
      deferred.push(path.join('/'))
      return null
    }
    return valueToJson(evaluate(run, program))
  }
  const values = (name: string, expressions: object): object =>
    Object.fromEntries(Object.keys(expressions).map((key) => [key, value(name, key)]))
  const body =
    action.type === 'publish'
      ? { channel: action.channel, payload: values('payload', action.payload) }
      : {
          ...{ credential: action.credential, operation: action.operation },
          ...{ method: action.method, path: action.path },
          pathParams: values('pathParams', action.pathParams),
          query: values('query', action.query),
          payload: values('payload', action.payload),
          idempotencyKey: value('idempotencyKey'),
        }
  return {
    ...{ kind: action.type, automation: automation.key, action: action.key },
    ...{ record: record.name, version: record.version },
    ...{ generation: context.present.generation, actor: context.actor, at: context.now },
    ...{ body, deferred },
  }
}

/** Whether an expression reads a sensitive field, also along a reference or through formulas. */
function readsSensitive(view: ComponentView, { program }: FieldProgram): boolean {
  return program.reads.fields.some(({ object, field }) => {
    const programs = objectPrograms(view, object)
    const declared = programs?.field(field)
    if (programs === null || declared === undefined) return false
    const formula = programs.formula(declared)
    return declared.sensitive || (formula !== null && readsSensitive(view, formula))
  })
}
