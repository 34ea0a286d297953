// Change lists: what would differ, whether it holds, what it needs, and the one transaction that applies it (completions 4).
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import {
  applied,
  budget,
  changeListFields,
  changeView,
  closure,
  denial,
  judgedListFields,
  plan as planShape,
} from '../schemas/changes.ts'
import { finding, generationNumber } from '../schemas/common.ts'
import { askedPlan, appliedView, applyRequestOf } from '../views/change-list.ts'
import { mostChanges, pastChangeViews } from '../views/generation-changes.ts'

const bodyLimit = 256 * 1024 * 1024

const list = z.strictObject(judgedListFields)

export const diff = defineRoute({
  method: 'post',
  path: '/metadata/v3/diff',
  name: 'diff',
  summary: 'What a change list changes, or what differs between two generations (from, to)',
  effect: 'reads',
  body: z.strictObject({
    ...judgedListFields,
    from: generationNumber.optional(),
    to: generationNumber.optional(),
  }),
  bodyLimit,
  reply: z.object({ changes: z.array(changeView), total: z.int() }),
  errors: ['generation.not_found', 'draft.not_found'],
  handle: async ({ body: { from, to, ...given }, ...request }) => {
    const { services, world } = request
    if (from !== undefined || to !== undefined)
      return services.store.read((reader) =>
        pastChangeViews(reader, from ?? world.generation, to ?? world.generation, request),
      )
    const { changes, total } = await askedPlan(request, given)
    return { changes, total }
  },
})

export const validate = defineRoute({
  method: 'post',
  path: '/metadata/v3/validate',
  name: 'validate',
  summary:
    'The findings of a change list over the active generation, and how many there are where the list is cut',
  effect: 'reads',
  body: list,
  bodyLimit,
  reply: z.object({ findings: z.array(finding), total: z.int() }),
  errors: ['draft.not_found'],
  handle: async ({ body, ...request }) => {
    const { findings, findingsTotal } = await request.services.org.plan(applyRequestOf(request, body))
    return { findings, total: findingsTotal }
  },
})

export const plan = defineRoute({
  method: 'post',
  path: '/metadata/v3/plan',
  name: 'plan',
  summary:
    'What an apply would do: changes, findings, permissions, slice budget; what picked drafts take along',
  effect: 'reads',
  body: z.strictObject({ ...judgedListFields, base: generationNumber.optional() }),
  bodyLimit,
  reply: z.object({
    plan: planShape,
    changes: z.array(changeView),
    total: z.int(),
    findings: z.array(finding),
    denials: z.array(denial),
    budget,
    closure: closure.optional(),
  }),
  errors: ['draft.not_found', 'conflict.stale_generation', 'generation.not_found'],
  handle: ({ body, ...request }) => askedPlan(request, body, { closure: true }),
})

export const apply = defineRoute({
  method: 'post',
  path: '/metadata/v3/apply',
  name: 'apply',
  summary: 'Apply a change list: one transaction, one generation',
  effect: 'writes',
  body: z.strictObject({
    ...changeListFields,
    base: generationNumber.optional(),
    changeDigest: z.string().optional(),
  }),
  bodyLimit,
  reply: applied,
  errors: [
    'deploy.invalid',
    'deploy.slice_budget',
    'deploy.secret_absent',
    'deploy.still_referenced',
    'deploy.approval_required',
    'draft.not_found',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'generation.not_found',
    'org.busy',
  ],
  handle: async ({ body, ...request }) => {
    const outcome = await request.services.org.apply({ ...applyRequestOf(request, body), most: mostChanges })
    return appliedView(request, outcome)
  },
})

export const rollback = defineRoute({
  method: 'post',
  path: '/metadata/v3/rollback',
  name: 'rollback',
  summary: 'Apply what an older generation held, as a new generation',
  effect: 'writes',
  body: z.strictObject({ generation: generationNumber, rationale: z.string().max(10_000).optional() }),
  reply: applied,
  errors: [
    'deploy.invalid',
    'deploy.approval_required',
    'generation.not_found',
    'conflict.stale_generation',
    'org.busy',
  ],
  handle: async ({ body, ...request }) => {
    const { by, services } = request
    const outcome = await services.org.rollback(body.generation, {
      ...(body.rationale === undefined ? {} : { rationale: body.rationale }),
      actor: by.actor,
      correlationId: by.correlationId,
      most: mostChanges,
    })
    return appliedView(request, outcome)
  },
})
