// The evaluation binding: what a stored value was computed from (docs/reference/bindings-and-evidence.md).
import { z } from 'zod'
import { allIssueMessages } from '../components/schema-messages.ts'
import type { ScopePath } from '../components/scopes.ts'
import { isDigest, type Digest } from '../change/digest.ts'
import { parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import { AlmanacError } from '../errors/almanac-error.ts'

export interface Binding {
  generation: number
  /** Null if no dated set was read. */
  asOf: CivilDate | null
  /** Set or flag key → its configuration digest. */
  config: Record<string, Digest>
  /** Calc function → digest of its component. */
  functions: Record<string, Digest>
  /** The scope values by which the sets that were read can vary; org is implied. */
  scopePath: ScopePath
}

const digest = z.string().refine(isDigest, { error: 'A digest has the format jcs1:sha256:<64 hex digits>.' })

export const scopePathSchema = z.strictObject({
  user: z.string().optional(),
  permission_set: z.array(z.string()).optional(),
  locale: z.string().optional(),
  app: z.string().optional(),
  environment: z.string().optional(),
})

export const bindingSchema = z.strictObject({
  generation: z.int().min(0),
  asOf: z
    .string()
    .refine((text) => parseCivilDate(text) !== null, { error: 'asOf must be a date, YYYY-MM-DD.' })
    .nullable(),
  config: z.record(z.string(), digest),
  functions: z.record(z.string(), digest),
  scopePath: scopePathSchema,
})

/** @throws AlmanacError binding.invalid naming every place that is not valid. */
export function parseBinding(json: unknown): Binding {
  const parsed = bindingSchema.safeParse(json)
  if (parsed.success) return parsed.data as Binding
  const words = allIssueMessages(bindingSchema, json, parsed.error, 'binding')
  throw new AlmanacError('binding.invalid', words.join(' '), { details: words })
}
