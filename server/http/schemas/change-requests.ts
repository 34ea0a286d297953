// Shapes of change requests: what is sent, and how one is answered, alone and in a list (completions 4).
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

/** As it is sent to be applied, and what a request says besides. */
export const requestFields = {
  ...changeListFields,
  base: generationNumber.optional(),
  ...planFields,
  title: title.optional(),
  applyOn: civilDate
    .nullable()
    .optional()
    .meta({ description: 'The date on which it applies itself, once it is approved.' }),
}

export const requestId = z.strictObject({ id: z.string().min(1).max(100) })

const revision = z.int().min(1).meta({ description: 'The revision that was seen.' })
export const seenFields = { revision: revision.optional() }

export const editFields = {
  ...requestFields,
  revision,
  without: z
    .array(componentId)
    .optional()
    .meta({ description: 'Components that are taken out of the list as it is.' }),
}
export const approvalFields = { digest: z.string(), ...seenFields, comment: text.optional() }
export const applyFields = { digest: z.string().optional(), ...seenFields }
export const said = text.trim().min(1)
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
      description: 'It is for the present digest, no edit voided it, and its approver still may approve.',
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
  .meta({ id: 'ChangeRequestEvent', description: 'What happened, and state and digest afterwards.' })

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
    .meta({ description: 'The number of required approvals that it proposes; null for a change list.' }),
  contributors: z
    .array(writer)
    .optional()
    .meta({ description: 'Users beside the author who drafted a part of it. None of them approves it.' }),
  createdAt: z.string(),
  updatedAt: z.string(),
  digest: digest.meta({
    description: 'What approvals bind to: of the change list and a secret salt, the same for everybody.',
  }),
  changeDigest: digest.nullable().meta({
    description: 'Of the change list alone, as /plan gives it; null unless you wrote it or see everything.',
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
    .meta({ description: 'Why it could not be applied on its date.' }),
  generation: z.int().nullable().meta({ description: 'The generation that it became.' }),
}

export const changeRequest = z
  .object(summaryFields)
  .meta({ id: 'ChangeRequest', description: 'A change list that waits for approvals, or what became of it.' })

export const submitted = z
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
      .meta({ description: 'How it stands over the active generation; null once it was applied.' }),
    lacks: z.array(z.string()).meta({
      description: 'Permissions that its author lacks now: nobody can apply it until the author holds them.',
    }),
    changes: z.array(changeView),
    contributions: z.array(z.object({ id: z.string(), writers: z.array(writer) })).meta({
      description: 'Changes that were drafted by others than the author, as far as they are shown.',
    }),
    total: z.int(),
    hidden: z.int().meta({ description: 'Changes that whoever asks may not see.' }),
    findings: z.array(finding),
    findingsTotal: z.int(),
    budget: budget.nullable(),
  })
  .meta({ id: 'ChangeRequestDetail' })
