// Shapes of remotes, their comparisons and their jobs. The types are the kernel's.
import { z } from 'zod'
import type {
  ComparedChange,
  Comparison,
  CompareRow,
  ComparisonIndex,
  CustodyStatus,
  RemoteColour,
  RemoteDrift,
  RemoteGeneration,
  RemoteGenerationChanges,
  RemoteHistory,
  RemoteJob,
  RemoteJobSummary,
  RemotePlan,
  RemoteProblem,
  RemoteProof,
  RemoteTexts,
  RemoteView,
} from '#wire/remotes.ts'
import { budget } from './changes.ts'
import { counts, finding } from './common.ts'

export const remoteKey = z.string().min(1).max(80)
const colours = ['grey', 'blue', 'green', 'amber', 'red', 'violet'] as const satisfies readonly RemoteColour[]
const colour = z.enum(colours)

/** Typed secrets; they are never returned. */
const secret = z.string().min(1).max(4096)

const proof = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('client'), client: z.string().min(1).max(80), secret }),
    z.strictObject({ kind: z.literal('token'), token: secret }),
    z.strictObject({ kind: z.literal('password'), user: z.string().min(1).max(80), password: secret }),
  ])
  .meta({
    id: 'RemoteProof',
    description: 'The credentials for a remote: a client and its secret, a token, or a user and a password.',
  }) satisfies z.ZodType<RemoteProof>

const remoteFields = { name: z.string().max(200), url: z.string().max(500), colour, proof }

export const newRemote = z.strictObject({ key: remoteKey, ...remoteFields })
export const remoteChange = z.strictObject(remoteFields).partial()

const problem = z
  .object({
    code: z.string(),
    detail: z.string(),
    origin: z.string(),
    remoteCode: z.string().nullable(),
    retriable: z.boolean(),
  })
  .meta({ id: 'RemoteProblem' }) satisfies z.ZodType<RemoteProblem>

const moment = z.object({ generation: z.int(), at: z.string() })

const contact = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('never') }),
    z.object({
      state: z.literal('reached'),
      at: z.string(),
      ms: z.number(),
      generation: z.int(),
      user: z.object({ key: z.string(), name: z.string() }),
      permissions: z.array(z.string()),
      approvals: z.int(),
      moved: z.int(),
    }),
    z.object({ state: z.literal('failed'), at: z.string(), problem }),
  ])
  .meta({ id: 'RemoteContact', description: 'The result of the last contact with a remote.' })

const jobKind = z.enum(['retrieve', 'compare', 'push', 'rollback'])
const jobState = z.enum(['running', 'review', 'waiting', 'done', 'failed', 'interrupted', 'cancelled'])
const jobStep = z.enum([
  'contact',
  'list',
  'fetch',
  'compare',
  'plan',
  'send',
  'confirm',
  'approval',
  'finish',
])

const briefFields = {
  id: z.string(),
  remote: z.string(),
  kind: jobKind,
  state: jobState,
  step: jobStep,
  done: z.int(),
  total: z.int().nullable(),
}

const brief = z.object(briefFields).meta({ id: 'RemoteJobBrief' }) satisfies z.ZodType<RemoteJobSummary>

export const remoteView = z
  .object({
    key: z.string(),
    name: z.string(),
    url: z.string(),
    colour,
    proof: z.object({
      kind: z.enum(['client', 'token', 'password']),
      principal: z.string().nullable(),
      custody: z.enum(['file', 'keychain']),
      expiresAt: z.string().nullable(),
    }),
    org: z.object({ name: z.string(), environment: z.string(), lineage: z.string() }),
    production: z.boolean(),
    addedAt: z.string(),
    contact,
    seen: moment.nullable(),
    listed: moment.nullable(),
    jobs: z.array(brief),
  })
  .meta({ id: 'Remote' }) satisfies z.ZodType<RemoteView>

const custodyKind = z.enum(['file', 'keychain'])

export const custodyStatus = z
  .discriminatedUnion('kept', [
    z.object({ kind: custodyKind, kept: z.literal(true) }),
    z.object({ kind: custodyKind, kept: z.literal(false), reason: z.string() }),
  ])
  .meta({
    id: 'CustodyStatus',
    description: 'Where secrets of remotes are stored, or why they cannot be.',
  }) satisfies z.ZodType<CustodyStatus>

/** Any JSON, without the reference to itself that some generators of clients cannot read. */
const json = z.custom<z.core.util.JSONType>()

const words = z.object({
  title: z.string(),
  before: z.string(),
  after: z.string(),
  takesEffect: z.string(),
})
const values = z.array(
  z.object({
    path: z.string(),
    before: json.optional(),
    after: json.optional(),
    reordered: z.literal(true).optional(),
  }),
)
const plainKind = z.enum(['added', 'changed', 'removed'])

const comparedFields = { kind: plainKind, words, values }
const compared = z.object(comparedFields).meta({ id: 'ComparedChange' }) satisfies z.ZodType<ComparedChange>

export const compareStates = [
  'same',
  'only_local',
  'only_remote',
  'changed_local',
  'changed_remote',
  'both',
] as const
const compareState = z.enum(compareStates)

const row = z
  .object({
    id: z.string(),
    type: z.string(),
    key: z.string(),
    set: z.string().optional(),
    state: compareState,
    drift: z.boolean(),
    moved: z.boolean(),
    draft: z.boolean(),
    push: compared.nullable(),
    theirs: compared.nullable(),
  })
  .meta({ id: 'CompareRow' }) satisfies z.ZodType<CompareRow>

export const localSource = z.enum(['active', 'drafts'])

export const comparison = z
  .object({
    remote: z.string(),
    local: z.object({ source: localSource, generation: z.int(), unread: z.array(z.string()) }),
    seen: moment,
    listed: moment,
    counts: z.object({
      same: z.int(),
      only_local: z.int(),
      only_remote: z.int(),
      changed_local: z.int(),
      changed_remote: z.int(),
      both: z.int(),
    }),
    drift: z.int(),
    rows: z.array(row),
    total: z.int(),
    nextCursor: z.string().nullable(),
    problem: problem.nullable(),
  })
  .meta({ id: 'Comparison' }) satisfies z.ZodType<Comparison>

export const comparisonIndex = z
  .object({
    local: localSource,
    differing: z.array(
      z.object({
        state: z.enum(['only_local', 'only_remote', 'changed_local', 'changed_remote', 'both']),
        drift: z.boolean(),
        ids: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'ComparisonIndex' }) satisfies z.ZodType<ComparisonIndex>

export const remoteTexts = z
  .object({
    id: z.string(),
    local: z.string().nullable(),
    seen: z.string().nullable(),
    listed: z.string().nullable(),
  })
  .meta({ id: 'RemoteTexts' }) satisfies z.ZodType<RemoteTexts>

const plan = z
  .object({
    base: z.int(),
    changeDigest: z.string().nullable().meta({ description: 'Null unless you can see all its changes.' }),
    counts,
    changes: z.array(z.object({ ...comparedFields, id: z.string(), lacks: z.string().nullable() })),
    total: z.int(),
    findings: z.array(finding),
    findingsTotal: z.int(),
    refused: z.boolean(),
    budget,
    cameAlong: z.array(z.object({ id: z.string(), because: z.array(z.unknown()), reasons: z.int() })),
    approvals: z.int(),
  })
  .meta({ id: 'RemotePlan', description: 'The plan of the remote for a push, before it is applied.' })

/** Reasons and findings are passed on unchanged. */
type LoosePlan = Omit<RemotePlan, 'cameAlong' | 'findings'>
plan satisfies z.ZodType<LoosePlan>

export const remoteJob = z
  .object({
    ...briefFields,
    startedAt: z.string(),
    updatedAt: z.string(),
    actor: z.string(),
    rationale: z.string(),
    plan: plan.nullable(),
    request: z
      .object({
        id: z.string(),
        state: z.string(),
        approvals: z.int(),
        required: z.int(),
        applyOn: z.string().nullable(),
      })
      .nullable(),
    outcome: z.object({ generation: z.int().nullable(), changes: z.int(), fetched: z.int() }).nullable(),
    problem: problem.nullable(),
  })
  .meta({ id: 'RemoteJob' }) satisfies z.ZodType<Omit<RemoteJob, 'plan'>>

const generation = z
  .object({
    generation: z.int(),
    kind: z.enum(['init', 'apply', 'rollback', 'revert']),
    at: z.string(),
    actor: z.string(),
    rationale: z.string(),
    counts,
    ours: z.boolean(),
  })
  .meta({ id: 'RemoteGeneration' }) satisfies z.ZodType<RemoteGeneration>

export const remoteHistory = z.object({
  active: z.int(),
  generations: z.array(generation),
}) satisfies z.ZodType<RemoteHistory>

export const remoteGenerationChanges = z.object({
  generation,
  changes: z.array(z.object({ ...comparedFields, id: z.string() })),
  total: z.int(),
}) satisfies z.ZodType<RemoteGenerationChanges>

export const remoteDrift = z
  .object({
    seen: moment,
    active: z.int(),
    generations: z.array(generation),
    more: z.boolean(),
    components: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['added', 'changed', 'renamed', 'removed']),
        words,
        generation: z.int(),
        actor: z.string(),
        at: z.string(),
      }),
    ),
  })
  .meta({
    id: 'RemoteDrift',
    description: 'Changes by others on the remote since it was last seen.',
  }) satisfies z.ZodType<RemoteDrift>
