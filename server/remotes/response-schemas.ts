// The parts of a remote's responses that are read here. A response without them is not from Almanac.
import { z } from 'zod'
import { explainKey, isComponentType, type ComponentId } from '#kernel/components/component.ts'
import type { Digest } from '#kernel/change/index.ts'

export const componentId = z
  .string()
  .max(300)
  .refine((id): id is ComponentId => {
    const [type = '', ...key] = id.split('/')
    return isComponentType(type) && explainKey(type, key.join('/')) === null
  })

export const digest = z
  .string()
  .regex(/^jcs1:sha256:[0-9a-f]{64}$/)
  .transform((text) => text as Digest)

const counts = z.object({ added: z.int(), changed: z.int(), renamed: z.int(), removed: z.int() })

export const facts = z.object({
  name: z.string(),
  lineage: z.string().min(1).max(100),
  environment: z.string(),
  generation: z.object({ generation: z.int() }),
  me: z.object({ key: z.string(), name: z.string(), permissions: z.array(z.string()) }),
})

export const generationRow = z.object({
  generation: z.int(),
  kind: z.enum(['init', 'apply', 'rollback', 'revert']),
  at: z.string(),
  actor: z.string(),
  rationale: z.string(),
  correlationId: z.string(),
  changeDigest: z.string().nullable(),
  counts,
})

export const generations = z.object({ active: z.int(), generations: z.array(generationRow) })

const words = z.object({
  title: z.string(),
  before: z.string(),
  after: z.string(),
  takesEffect: z.string(),
})

export const change = z.object({
  kind: z.enum(['added', 'changed', 'renamed', 'removed']),
  id: z.string(),
  words,
  values: z.array(z.object({ path: z.string(), before: z.json().optional(), after: z.json().optional() })),
  lacks: z.string().nullable(),
})

export const generationChanges = z.object({
  generation: generationRow,
  changes: z.array(change),
  total: z.int(),
})

export const digests = z.object({
  lineage: z.string(),
  generation: z.int(),
  digests: z.record(componentId, digest),
  nextCursor: z.string().nullable(),
})

export const contents = z.object({
  generation: z.int(),
  components: z.array(z.object({ id: componentId, digest, component: z.unknown() })),
  descriptions: z.record(z.string(), z.string()).optional(),
})

const finding = z.looseObject({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  component: z.string(),
  path: z.string(),
  message: z.string(),
  related: z.array(z.object({ component: z.string(), path: z.string(), note: z.string().optional() })),
})

export const plan = z.object({
  plan: z.object({
    lineage: z.string(),
    base: z.int(),
    changeDigest: z.string(),
    counts,
  }),
  changes: z.array(change),
  total: z.int(),
  findings: z.array(finding),
  // A server of an earlier version does not send it.
  findingsTotal: z.int().optional(),
  budget: z.object({ used: z.number(), added: z.number(), limit: z.number(), left: z.number() }),
})

export const applied = z.object({ generation: z.int(), counts })

export const approvals = z.object({ required: z.int() })

export const changeRequest = z.object({
  id: z.string().max(100),
  state: z.enum(['open', 'approved', 'failed', 'applied', 'rejected', 'withdrawn']),
  digest: z.string(),
  // A server of an earlier version does not send it: its `digest` is that of the change list.
  changeDigest: z.string().nullish(),
  createdAt: z.string(),
  requiredApprovals: z.int(),
  approvals: z.array(z.object({ counts: z.boolean() })),
  applyOn: z.string().nullable(),
  rollbackTo: z.int().nullish(),
  failure: z.object({ message: z.string() }).nullable(),
  generation: z.int().nullable(),
})

export const changeRequests = z.object({
  requests: z.array(changeRequest),
  nextCursor: z.string().nullable(),
})

export const appliedRequest = applied.extend({ request: changeRequest })

export const mintedToken = z.object({
  token: z.string().min(1).max(1000),
  user: z.string(),
  expiresAt: z.string(),
})

export const clientToken = z.object({
  access_token: z.string().min(1).max(1000),
  expires_in: z.number().positive(),
})

/** The error format of the token endpoint (RFC 6749, 5.2). */
export const oauthRefusal = z.object({
  error: z.string().max(200),
  error_description: z.string().max(20_000).optional(),
})

/** The error envelope, as far as it is passed on. */
export const envelope = z.object({
  code: z.string().max(200),
  detail: z.string().max(20_000),
  correlationId: z.string().max(200).nullish(),
  details: z.array(z.unknown()).optional(),
})

export type RemoteFacts = z.output<typeof facts>
export type RemoteGenerationRow = z.output<typeof generationRow>
export type RemotePlanResponse = z.output<typeof plan>
export type RemoteChangeResponse = z.output<typeof change>
export type RemoteChangeRequest = z.output<typeof changeRequest>
