// Body of an automation: declarative actions at a phase of a save, or an invocable operation.
import { z } from 'zod'
import { expression, expressionMap, key, nonEmptyText, param, sortedUniqueList } from '../shapes.ts'

export const automationPhases = ['before_write', 'after_write', 'post_commit', 'invocable'] as const
export type AutomationPhase = (typeof automationPhases)[number]

/** A call to a declared endpoint: an operation of an external service, or method and path of a named credential. */
const outbound = {
  key,
  /** A key, or an expression whose value is one: a field of configuration of the type credential_reference. */
  credential: expression.optional(),
  method: z.enum(['GET', 'HEAD', 'PUT', 'DELETE', 'POST', 'PATCH']).optional(),
  path: z.string().optional(),
  /** `<service>.<operationId>`. */
  operation: z.string().optional(),
  /** The parameters of the operation, each with an expression; `body` is its whole body. */
  args: expressionMap.optional(),
  /** The names in braces of the path, the query, and the body, each with an expression. */
  pathParams: expressionMap.default({}),
  query: expressionMap.default({}),
  payload: expressionMap.default({}),
  /** Declares the call safe to repeat. */
  idempotencyKey: expression.optional(),
}

export const action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('assign'), key, values: expressionMap }),
  z.strictObject({
    type: z.literal('raise'),
    key,
    when: expression.optional(),
    message: nonEmptyText,
    field: key.optional(),
  }),
  z.strictObject({ type: z.literal('create'), key, object: key, values: expressionMap }),
  /** `record` gives the id of the record to change. */
  z.strictObject({ type: z.literal('update'), key, object: key, record: expression, values: expressionMap }),
  z.strictObject({ type: z.literal('publish'), key, channel: key, payload: expressionMap }),
  z.strictObject({ type: z.literal('enqueue'), ...outbound }),
  z.strictObject({ type: z.literal('callout'), ...outbound }),
])

export const automationBody = z.strictObject({
  /** The object whose saves trigger it; none for an invocable one. */
  object: key.optional(),
  phase: z.enum(automationPhases),
  params: z.array(param).default([]),
  /** The permission sets whose holders can call an invocable one; without it, nobody. */
  grantedTo: sortedUniqueList(key).optional(),
  /** What a call of an invocable one returns: name → expression over the parameters. */
  returns: z.record(key, expression).optional(),
  when: expression.optional(),
  actions: z.array(action),
})

export type AutomationBody = z.output<typeof automationBody>
export type AutomationAction = z.output<typeof action>
