// Shapes of change requests: request bodies, and responses with one request or a list.
import { z } from 'zod'
import { changeRequestEventKinds, changeRequestStates } from '#kernel/requests/index.ts'
import { budget, changeListFields, changeView, planFields } from './changes.ts'
import {
  civilDate,
  componentId,
  counts,
  digest,
  finding,
  generationNumber,
  operator,
  writer,
} from './common.ts'

const title = z.string().max(200)
const text = z.string().max(10_000)

/** A change list as for an apply, and the other properties of a request. */
export const requestFields = {
  ...changeListFields,
  base: generationNumber.optional(),
  ...planFields,
  title: title.optional(),
  applyOn: civilDate
    .nullable()
    .optional()
    .meta({ description: 'The date on which it is applied automatically, once approved.' }),
}

export const requestId = z.strictObject({ id: z.string().min(1).max(100) })

const revision = z.int().min(1).meta({ description: 'The revision that the caller saw.' })
export const revisionFields = { revision: revision.optional() }

export const editFields = {
  ...requestFields,
  revision,
  without: z
    .array(componentId)
    .optional()
    .meta({ description: 'Components to remove from the current list.' }),
}
export const approvalFields = { digest: z.string(), ...revisionFields, comment: text.optional() }
export const applyFields = { digest: z.string().optional(), ...revisionFields }
export const commentText = text.trim().min(1)
export const reason = text.trim()

const state = z.enum(changeRequestStates)

const approval = z
  .object({
    approver: z.string(),
    operator: operator.nullish(),
    digest,
    at: z.string(),
    comment: z.string(),
    voidedAt: z.string().nullable(),
    counts: z.boolean().meta({
      description:
        'Whether the approval counts: it is for the current digest, no edit has voided it, and its approver can still approve.',
    }),
  })
  .meta({ id: 'Approval' })

const event = z
  .object({
    seq: z.int(),
    at: z.string(),
    actor: z.string(),
    operator: operator.nullish(),
    kind: z.enum(changeRequestEventKinds),
    state,
    digest,
    text: z.string(),
  })
  .meta({ id: 'ChangeRequestEvent', description: 'An event, with the state and digest after it.' })

const summaryFields = {
  id: z.string(),
  revision: z.int(),
  state,
  title: z.string(),
  rationale: z.string(),
  author: z.string(),
  operator: operator.nullish(),
  proposedApprovals: z
    .int()
    .nullish()
    .meta({ description: 'The proposed number of required approvals; null for a change list.' }),
  contributors: z
    .array(writer)
    .optional()
    .meta({ description: 'Users other than the author who drafted a part of it. They cannot approve it.' }),
  createdAt: z.string(),
  updatedAt: z.string(),
  digest: digest.meta({
    description:
      'The digest that approvals are bound to: of the change list and a secret salt, the same for all users.',
  }),
  changeDigest: digest.nullable().meta({
    description:
      'Digest of the change list only, as returned by /plan; null unless you wrote it or see everything.',
  }),
  base: z.int(),
  rollbackTo: z.int().nullable(),
  counts,
  errors: z.int(),
  warnings: z.int(),
  requiredApprovals: z.int(),
  approvals: z.array(approval),
  applyOn: z.string().nullable(),
  failure: z
    .object({ at: z.string(), code: z.string(), message: z.string(), findings: z.array(finding) })
    .nullable()
    .meta({ description: 'The reason why it could not be applied on its date.' }),
  generation: z.int().nullable().meta({ description: 'The generation that it was applied as.' }),
}

export const changeRequest = z
  .object(summaryFields)
  .meta({ id: 'ChangeRequest', description: 'A change list that waits for approvals, or its result.' })

export const submittedChangeRequest = z
  .object({ ...summaryFields, findings: z.array(finding), findingsTotal: z.int() })
  .meta({ id: 'SubmittedChangeRequest' })

export const changeRequestDetail = z
  .object({
    ...summaryFields,
    comments: z.array(event),
    history: z.array(event),
    standing: z
      .object({
        generation: z.int(),
        stale: z
          .enum(['conflict.stale_plan', 'conflict.stale_generation', 'generation.not_found'])
          .nullable(),
        message: z.string(),
        conflicts: z.array(z.unknown()),
      })
      .nullable()
      .meta({ description: 'Its plan against the active generation; null once it has been applied.' }),
    lacks: z.array(z.string()).meta({
      description:
        'Permissions that its author currently lacks: it cannot be applied until the author has them.',
    }),
    changes: z.array(changeView),
    contributions: z.array(z.object({ id: z.string(), writers: z.array(writer) })).meta({
      description: 'Visible changes that users other than the author drafted.',
    }),
    total: z.int(),
    hidden: z.int().meta({ description: 'Number of changes that the caller cannot see.' }),
    findings: z.array(finding),
    findingsTotal: z.int(),
    budget: budget.nullable(),
  })
  .meta({ id: 'ChangeRequestDetail' })
