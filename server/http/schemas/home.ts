// The shape of the home page.
import { z } from 'zod'
import { changeRequestStates } from '#kernel/requests/index.ts'
import type { HomeView } from '#wire/index.ts'

const change = z.object({
  entry: z.string(),
  key: z.string().nullable(),
  scope: z.looseObject({ kind: z.string() }),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
const request = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  authorName: z.string(),
  state: z.enum(changeRequestStates),
  applyOn: z.string().nullable(),
  approvals: z.int(),
  requiredApprovals: z.int(),
  changes: z.int(),
})
const draft = z.object({
  id: z.string(),
  state: z.enum(['added', 'changed', 'removed']),
  updatedAt: z.string(),
  authorName: z.string(),
})
const words = z.object({
  title: z.string(),
  before: z.string(),
  after: z.string(),
  takesEffect: z.string(),
})

export const homeSchema = z
  .object({
    today: z.string(),
    until: z.string(),
    days: z.array(
      z.object({
        set: z.string(),
        label: z.string(),
        day: z.string(),
        changes: z.array(change),
        total: z.int(),
      }),
    ),
    daysTotal: z.int(),
    requests: z.array(request),
    flags: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        ownerName: z.string(),
        expiresOn: z.string(),
        daysLeft: z.int(),
      }),
    ),
    toApprove: z.array(request),
    rejected: z.array(request.extend({ reason: z.string(), rejectedBy: z.string(), at: z.string() })),
    conflicts: z.array(draft),
    drafts: z.array(draft),
    draftsTotal: z.int(),
    othersTotal: z.int(),
    applied: z.array(
      z.object({
        generation: z.int(),
        at: z.string(),
        actorName: z.string(),
        rationale: z.string(),
        changes: z.array(words),
        total: z.int(),
      }),
    ),
  } satisfies Record<keyof HomeView, z.ZodType>)
  .meta({ id: 'Home', description: 'The home page of the viewer.' })
