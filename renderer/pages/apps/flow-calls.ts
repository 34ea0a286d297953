// The operations that the steps of a flow call over its draft.
import type { FlowStep, StepCall } from '../../api/apps.ts'
import { callOperation } from '../../api/operations.ts'
import type { RecordValue } from '../../api/records.ts'
import type { ApiError } from '../../api/request.ts'
import type { FlowDraft } from './flow-drafts.ts'

/** Whether a step has called its operation at least once. */
export const hasCalled = ({ key, invoke }: FlowStep, { calls }: FlowDraft): boolean =>
  invoke === undefined || calls[key]?.isDone === true

/** The steps whose operation must be called for the values of the draft. */
export function dueCalls(steps: readonly FlowStep[], draft: FlowDraft): FlowStep[] {
  return steps.filter(({ key, invoke }) => {
    if (invoke === undefined) return false
    const last = draft.calls[key]
    return last?.isDone !== true || last.sent !== JSON.stringify(bodyOf(invoke, draft))
  })
}

/** Calls the operation of a step, and fills fields with what it returns. @throws ApiError */
export async function callForStep(step: FlowStep, draft: FlowDraft, app: string): Promise<void> {
  const { operation, into } = step.invoke!
  const body = bodyOf(step.invoke!, draft)
  const sent = JSON.stringify(body)
  const last = draft.calls[step.key]
  // A call whose response was lost is repeated with its key.
  const once = last?.sent === sent ? last.once : crypto.randomUUID()
  draft.calls = { ...draft.calls, [step.key]: { sent, once, isDone: false } }
  const { returns } = await callOperation(operation, body, { app, once })
  const filled = Object.entries(into).map(([name, field]) => [field, returns[name] ?? null] as const)
  const values = Object.entries({ ...draft.values, ...Object.fromEntries(filled) })
  draft.values = Object.fromEntries(values.filter(([, value]) => value !== null))
  draft.calls = { ...draft.calls, [step.key]: { sent, once, isDone: true } }
}

function bodyOf(
  { args, asOf }: StepCall,
  { values }: FlowDraft,
): { params: Record<string, RecordValue>; asOf?: string } {
  const params = Object.fromEntries(
    Object.entries(args).map(([name, field]) => [name, values[field] ?? null]),
  )
  const date = asOf === null ? null : values[asOf]
  return typeof date === 'string' ? { params, asOf: date } : { params }
}

/** The API names a property of its request. */
export const missingDate = 'A date is required.'

/** The problems of a refused call, by field of the draft. */
export function callProblems({ args, asOf }: StepCall, { code, details }: ApiError): Record<string, string> {
  if (code === 'config.as_of_required' && asOf !== null) return { [asOf]: missingDate }
  const found = details as { field?: string | null; path?: string; message?: string }[]
  return Object.fromEntries(
    found.flatMap(({ field, path, message: text }) => {
      const name = field ?? /^\/params\/(.+)$/.exec(path ?? '')?.[1]
      // A rule of a record that the operation writes names a field of that record, which can have the same key here.
      const target = name == null ? undefined : (args[name] ?? field)
      return target == null || text === undefined ? [] : [[target, text]]
    }),
  )
}
