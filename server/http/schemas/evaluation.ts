// Shapes of resolving, evaluating and replaying.
import { z } from 'zod'
import { canonicalLocale, explainLocale } from '#kernel/components/locale-tag.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { civilDate } from './common.ts'

export const scopePath = z
  .strictObject({
    user: z.string().optional(),
    permission_set: z.array(z.string()).optional(),
    locale: z.string().optional(),
    app: z.string().optional(),
    environment: z.string().optional(),
  })
  .meta({ id: 'ScopePath' })

/** The same in a request; the locale is converted to its usual case. */
export const scopePathInput = scopePath.transform((path, context) => {
  if (path.locale === undefined) return path
  const locale = canonicalLocale(path.locale)
  if (locale !== null) return { ...path, locale }
  context.addIssue({ code: 'custom', path: ['locale'], message: explainLocale(path.locale) })
  return z.NEVER
})

const scope = z.looseObject({ kind: z.string() })

export const resolution = z
  .object({
    set: z.string(),
    key: z.string().nullable(),
    asOf: z.string().nullable(),
    generation: z.int(),
    scope,
    entry: z.string(),
    values: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Resolution' })

export const explainStep = z.looseObject({
  kind: z.string(),
  scope: z.string(),
  entry: z.string().nullable(),
  matched: z.boolean(),
  reason: z.string(),
})

export const resolutionFields = {
  set: z.string(),
  key: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  scope: scopePathInput.optional(),
  asOf: civilDate.nullable().optional(),
  generation: z.int().min(0).optional(),
}

export const paramType = z.enum(['number', 'text', 'boolean', 'date', 'datetime'])

export const inputs = z
  .record(
    z.string(),
    z.strictObject({ type: paramType, value: z.union([z.string(), z.boolean(), z.null()]) }),
  )
  .meta({ id: 'EvaluationInputs', description: 'Declared inputs by name; numbers are decimal strings.' })

export const binding = z
  .looseObject({
    generation: z.int(),
    asOf: z.string().nullable(),
    config: z.record(z.string(), z.string()),
    functions: z.record(z.string(), z.string()),
    scopePath,
  })
  .meta({ id: 'Binding' })

export const evaluation = z.object({
  value: z.string().meta({ description: 'Canonical JSON text of the value.' }),
  type: z.string(),
  binding,
})

export const recomputation = evaluation.extend({
  before: z.string(),
  changed: z.boolean(),
  reasons: z.array(z.string()),
  resultId: z.string().optional(),
})

export const storedResultRef = z.strictObject({ resultId: z.string() })
export const resultCopy = z.strictObject({
  expression: z.string().max(100_000),
  inputs: inputs.optional(),
  value: z.string(),
  binding: z.unknown(),
})
/** A stored result by its id, or a result in the request. */
export const resultInput = z.union([storedResultRef, resultCopy])

export const evaluationErrors: readonly ErrorCode[] = [
  'expression.invalid',
  'expression.evaluation',
  'expression.too_costly',
  'config.unknown_set',
  'config.unknown_key',
  'config.not_effective',
  'config.as_of_required',
  'config.no_entry',
  'config.bad_key',
  'request.invalid',
  'generation.not_found',
]

export const storedResult = z
  .looseObject({
    id: z.string(),
    label: z.string(),
    at: z.string(),
    actor: z.string(),
    expression: z.string(),
    inputs: z.unknown(),
    value: z.string(),
    binding,
    state: z.enum(['bound', 'archived']),
  })
  .meta({ id: 'StoredResult' })
