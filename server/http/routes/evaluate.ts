// Expressions: checks and completes them while typing, evaluates them with a binding.
import { z } from 'zod'
import type { ExpressionSite } from '#kernel/components/expression-slot.ts'
import { objectFieldTypes } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { mebibyte, type Budget } from '../budget.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { civilDate } from '../schemas/common.ts'
import {
  resultCopy,
  evaluation,
  evaluationErrors,
  resultInput,
  inputs,
  paramType,
  recomputation,
  scopePathInput,
  storedResultRef,
} from '../schemas/evaluation.ts'
import { recordId } from '../schemas/records.ts'
import { callerOf } from '../views/record-caller.ts'
import { viewingActor } from '../views/viewing-actor.ts'

const inputTypes = z.record(z.string(), paramType).optional()

/** The place of an expression, as the rooms name it; default the playground. */
const params = z.array(z.strictObject({ key: z.string(), type: paramType }))
const ofField = { object: z.string(), field: z.string() }
const site = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('field_default'), ...ofField }),
  z.strictObject({ kind: z.literal('stored_formula'), ...ofField }),
  z.strictObject({ kind: z.literal('virtual_formula'), ...ofField }),
  z.strictObject({ kind: z.literal('rollup_filter'), ...ofField, child: z.string() }),
  z.strictObject({ kind: z.literal('validation_rule'), object: z.string() }),
  z.strictObject({ kind: z.literal('sharing_rule'), object: z.string() }),
  z.strictObject({ kind: z.literal('list_filter'), object: z.string() }),
  z.strictObject({
    kind: z.literal('automation'),
    object: z.string().nullable(),
    phase: z.string(),
    params,
    calls: z.array(z.strictObject({ action: z.string(), operation: z.string().optional() })).optional(),
    into: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('field'), ...ofField }),
        z.strictObject({ kind: z.literal('payload'), channel: z.string(), field: z.string() }),
        z.strictObject({ kind: z.literal('record'), object: z.string() }),
        z.strictObject({ kind: z.literal('return'), name: z.string() }),
        z.strictObject({ kind: z.literal('credential') }),
        z.strictObject({ kind: z.literal('argument'), operation: z.string(), path: z.array(z.string()) }),
      ])
      .optional(),
  }),
  z.strictObject({ kind: z.literal('calc_function'), key: z.string(), params }),
  z.strictObject({ kind: z.literal('playground'), inputs: params }),
]) satisfies z.ZodType<ExpressionSite>

const place = z
  .int()
  .min(0)
  .meta({ description: 'Offset in UTF-16 code units from the start of the expression.' })

const sourceText = z.string().max(100_000)

const expects = z.union([paramType, z.literal('any')]).optional()

/** What the editor of an expression shows. */
const expressionFields = {
  expression: sourceText,
  inputs: inputTypes,
  site: site.optional(),
  expects,
  component: z.unknown().optional().meta({
    description:
      'The component that contains the expression, as typed: its names and those of your drafts are known.',
  }),
}

const expressionBudget: Partial<Budget> = { lane: 'quick', deadlineMs: 10_000 }

const alsoStore = { store: z.boolean().optional() }

export const checkExpression = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate/check',
  name: 'checkExpression',
  summary: 'Check an expression: whether it compiles, its type, its problems and what it reads',
  effect: 'reads',
  body: z.strictObject(expressionFields),
  budget: { ...expressionBudget, bytes: 4 * mebibyte, elements: 200_000 },
  reply: z.object({
    ok: z.boolean(),
    type: z.string().nullable(),
    problems: z.array(z.looseObject({ message: z.string(), start: place, end: place })),
    reads: z.unknown(),
  }),
  errors: [],
  handle: ({ body, ...request }) => request.services.evaluation.check(viewingActor(request), body),
})

export const completions = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate/complete',
  name: 'completeExpression',
  summary: 'Get completions at a position of an expression',
  effect: 'reads',
  body: z.strictObject({ ...expressionFields, offset: place }),
  budget: { ...expressionBudget, bytes: 4 * mebibyte, elements: 200_000 },
  reply: z.object({ start: place, end: place, items: z.array(z.looseObject({ label: z.string() })) }),
  errors: [],
  handle: ({ body, ...request }) => request.services.evaluation.complete(viewingActor(request), body),
})

/** How a field stores a value: numbers are rounded to the scale. */
const storedForm = z.strictObject({
  type: z.enum(objectFieldTypes),
  precision: z.int().min(1).max(34).optional(),
  scale: z.int().min(0).max(34).optional(),
})

export const evaluateForRecord = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate/record',
  name: 'evaluateForRecord',
  summary: 'Evaluate an expression of an object for a record and a date, without storing it',
  effect: 'reads',
  body: z.strictObject({
    expression: sourceText,
    site,
    expects,
    id: recordId.meta({ description: 'Of a record of the object whose fields the expression reads.' }),
    asOf: civilDate
      .optional()
      .meta({ description: 'The as-of date of configuration; by default that of the record.' }),
    stored: storedForm.optional().meta({ description: 'The value is as a field of this kind stores it.' }),
  }),
  budget: expressionBudget,
  reply: z.object({
    object: z.string(),
    type: z.string(),
    value: z.unknown(),
    problem: z.object({ code: z.string(), message: z.string() }).nullable(),
    asOf: z.object({ field: z.string(), date: z.string().nullable() }).nullable(),
    parts: z
      .array(z.object({ start: place, end: place, value: z.unknown() }))
      .meta({ description: 'The values of fields, configuration and calls in the expression.' }),
  }),
  errors: [
    'object.not_found',
    'record.not_found',
    'access.denied',
    'expression.invalid',
    'config.unknown_set',
    'request.invalid',
  ],
  handle: ({ body, ...request }) => {
    const { id, expects = 'any', ...question } = body
    return request.services.records.preview(callerOf(request), id, { ...question, expects })
  },
})

export const evaluateExpression = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate',
  name: 'evaluate',
  summary:
    'Evaluate an expression with declared inputs; with store, also store the value and its binding under that label',
  effect: 'reads',
  body: z.strictObject({
    expression: sourceText,
    inputs: inputs.optional(),
    asOf: civilDate.nullable().optional(),
    scope: scopePathInput.optional(),
    generation: z.int().min(0).optional(),
    store: z.string().min(1).max(500).optional(),
  }),
  budget: expressionBudget,
  reply: evaluation.extend({ resultId: z.string().optional() }),
  errors: evaluationErrors,
  handle: ({ body, ...request }) => {
    if (body.store !== undefined) requireOwnName(request, 'store a result')
    return request.services.evaluation.evaluate(viewingActor(request), {
      ...body,
      scope: body.scope ?? request.scopePath,
      generation: body.generation ?? request.snapshot.generation,
    })
  },
})

export const replayResult = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate/replay',
  name: 'replay',
  summary: 'Replay a result: compute the same value at the generation of its binding, byte for byte',
  effect: 'reads',
  body: resultInput,
  budget: { ...expressionBudget, bytes: mebibyte },
  reply: evaluation.extend({
    identical: z.boolean(),
    differences: z.array(z.looseObject({ key: z.string() })),
    honouredEnvironment: z.string().nullable(),
    steps: z.array(z.unknown()),
  }),
  errors: [...evaluationErrors, 'binding.not_found', 'binding.invalid', 'binding.differs'],
  handle: ({ body, ...request }) => request.services.evaluation.replay(viewingActor(request), body),
})

export const recomputeResult = defineRoute({
  method: 'post',
  path: '/setup/v3/evaluate/recompute',
  name: 'recompute',
  summary:
    'Recompute a result against the active generation and explain why the value changed; stored only on request',
  effect: 'reads',
  body: z.union([storedResultRef.extend(alsoStore), resultCopy.extend(alsoStore)]),
  budget: { ...expressionBudget, bytes: mebibyte },
  reply: recomputation,
  errors: [...evaluationErrors, 'binding.not_found', 'binding.invalid'],
  handle: ({ body, ...request }) => {
    if (body.store === true) requireOwnName(request, 'store a result')
    return request.services.evaluation.recompute(viewingActor(request), body)
  },
})

/** Refuses writes while the caller views as another user. */
function requireOwnName(
  { access, by }: Pick<SignedInRequest<unknown, unknown, unknown>, 'access' | 'by'>,
  purpose: string,
): void {
  if (access.user !== by.actor)
    throw new AlmanacError(
      'access.denied',
      `You are viewing as ${access.user}, which is read-only. Switch back to your own user to ${purpose}.`,
    )
}
