// Shapes that several resources share, each defined once and named in the OpenAPI document.
import { z } from 'zod'
import {
  componentTypes,
  isComponentType,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import type { GenerationRow } from '#wire/index.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { parseInstant } from '#kernel/expr/index.ts'

export const componentType = z.enum(componentTypes)
export const componentKey = z.string().min(1).max(200)

export const componentId = z
  .string()
  .refine(
    (text): text is ComponentId =>
      isComponentType(text.split('/', 1)[0] as ComponentType) && text.includes('/'),
    {
      error: 'A component id is written <type>/<key>.',
    },
  )
  .transform((text) => text as ComponentId)
  .meta({ id: 'ComponentId', description: '<type>/<key>', examples: ['config_set/vat_rate'] })

/** A component in a request: its errors are findings, not a malformed request. */
export const componentInput = z.unknown().meta({ id: 'Component' })

export const civilDate = z
  .string()
  .refine((text) => parseCivilDate(text) !== null, { error: 'Use a date that exists, as YYYY-MM-DD.' })
  .meta({ id: 'CivilDate', format: 'date', description: 'A calendar date, YYYY-MM-DD.' })

/** A point in time, as stores write it: their texts are compared. A date is its first moment in UTC. */
export const instant = z
  .string()
  .max(40)
  .refine((text) => storedInstant(text) !== null, {
    error: 'Use a date and time such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00, or a date.',
  })
  .transform((text) => storedInstant(text)!)
  .meta({ id: 'Instant', description: 'ISO 8601 with Z or an offset; or a date, for its start in UTC.' })

export function storedInstant(text: string): string | null {
  if (parseCivilDate(text) !== null) return `${text}T00:00:00.000Z`
  const instant = parseInstant(text)
  return instant === null ? null : `${instant.order.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length)}Z`
}

export const digest = z.string().meta({ id: 'Digest', pattern: '^jcs1:sha256:[0-9a-f]{64}$' })

/** Paging: the size of a page, and the end of the previous one. */
export const pageQuery = {
  limit: z
    .string()
    .refine((text) => /^[0-9]+$/.test(text) && Number(text) >= 1 && Number(text) <= 2000, {
      error: 'Use a whole number from 1 to 2000.',
    })
    .transform(Number)
    .default(50)
    .meta({ description: 'Maximum number of items on a page, 1 to 2000; default 50.' }),
  cursor: z.string().optional().meta({ description: 'Opaque end of the previous page.' }),
}

export const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/, { error: 'Use a whole number of at most 15 digits.' })
  .transform(Number)

export const generationNumber = z.int().min(0).meta({ id: 'GenerationNumber' })

export const finding = z
  .object({
    severity: z.enum(['error', 'warning', 'info']),
    code: z.string(),
    component: z.string(),
    path: z.string(),
    message: z.string(),
    related: z.array(z.object({ component: z.string(), path: z.string(), note: z.string().optional() })),
    facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
    repairs: z.array(z.object({ choice: z.string(), label: z.string() })).optional(),
  })
  .meta({ id: 'Finding', description: 'The result of a rule for a component.' })

export const counts = z
  .object({ added: z.int(), changed: z.int(), renamed: z.int(), removed: z.int() })
  .meta({ id: 'ChangeCounts' })

export const operator = z.string().meta({
  description: 'The user of the operating system who used the command line or the one-time link.',
})

export const writer = z.object({ user: z.string(), operator: operator.nullable() }).meta({ id: 'Writer' })

const generationRequest = z
  .object({
    id: z.string(),
    author: z.string(),
    approvers: z.array(z.string()),
    appliedBy: z.string().nullable().meta({ description: 'Null if it was applied on its date.' }),
  })
  .meta({ id: 'GenerationRequest', description: 'The change request that was applied as the generation.' })

export const generationRow = z
  .object({
    generation: z.int(),
    kind: z.enum(['init', 'apply', 'rollback', 'revert']),
    at: z.string(),
    actor: z.string(),
    operator: operator.optional(),
    rationale: z.string(),
    correlationId: z.string(),
    changeDigest: z.string().nullable().meta({
      description: 'Null if the caller cannot see all changes of the generation.',
    }),
    counts,
    sliceBytes: z.int(),
    request: generationRequest.optional(),
  })
  .meta({ id: 'Generation' }) satisfies z.ZodType<GenerationRow>

export const versionRow = z
  .object({
    id: z.string(),
    digest: z.string(),
    from: z.int(),
    to: z.int().nullable(),
    at: z.string(),
    actor: z.string(),
  })
  .meta({ id: 'ComponentVersion' })

export const auditRow = z
  .object({
    id: z.string(),
    at: z.string(),
    actor: z.string(),
    operator: operator.optional(),
    correlationId: z.string(),
    generation: z.int().nullable(),
    component: z.string(),
    kind: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    rationale: z.string(),
    hints: z.unknown().optional(),
    request: generationRequest.optional(),
  })
  .meta({ id: 'AuditRow' })

const draftFields = {
  id: z.string(),
  text: z.string().nullable(),
  baseDigest: z.string().nullable(),
  baseGeneration: z.int(),
  version: z.int(),
  author: z.string().meta({ description: 'The user who began the draft.' }),
  changedBy: z.string().meta({ description: 'The user who saved this version.' }),
  operator: operator.optional(),
  changedOperator: operator.optional(),
  writers: z.array(writer).meta({
    description:
      'All users who saved a version of it. They cannot approve a change request that contains it.',
  }),
  updatedAt: z.string(),
}

export const draftRow = z.object(draftFields).meta({ id: 'Draft' })

export const savedDraft = z
  .object({ ...draftFields, findings: z.array(finding), unchanged: z.boolean() })
  .meta({ id: 'SavedDraft' })

export const usage = z
  .object({ from: z.string(), path: z.string(), member: z.string().optional(), label: z.string() })
  .meta({ id: 'Usage' })

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    class: z.string(),
    code: z.string(),
    correlationId: z.string(),
    retriable: z.boolean(),
    origin: z.string(),
    details: z.array(z.unknown()),
  })
  .meta({ id: 'Problem', description: 'An error, as application/problem+json.' })
