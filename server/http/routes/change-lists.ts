// Change lists: diff, validation, plan, and the transaction that applies them.
import { z } from 'zod'
import { changeListBudget, listBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import {
  applyResult,
  budget,
  changeListFields,
  changeView,
  closure,
  denial,
  plannedListFields,
  plan as planShape,
  planFields,
  planLineage,
  revertFields,
} from '../schemas/changes.ts'
import { finding, generationNumber } from '../schemas/common.ts'
import { planChangeList, appliedReply, applyRequestOf } from '../views/change-list.ts'
import { maxChanges, pastChangeViews } from '../views/generation-changes.ts'

const list = z.strictObject(plannedListFields)

/** Which part of a long list to return, and whether to name all changes. */
const pageFields = {
  page: z
    .strictObject({ from: z.int().min(0), count: z.int().min(0).max(maxChanges) })
    .optional()
    .meta({ description: 'Which of the changes to return; default the first 1,000.' }),
  index: z
    .boolean()
    .optional()
    .meta({ description: 'Whether to list all changes in `index`, in the same order.' }),
}

const index = z.array(z.object({ id: z.string(), kind: z.string() })).optional()

const pageOptions = <P>({ page, index }: { page?: P | undefined; index?: boolean | undefined }) => ({
  ...(page === undefined ? {} : { page }),
  ...(index === undefined ? {} : { includesIndex: index }),
})

export const diff = defineRoute({
  method: 'post',
  path: '/metadata/v3/diff',
  name: 'diff',
  summary: 'Compare a change list with the active generation, or two generations (from, to)',
  effect: 'reads',
  body: z.strictObject({
    ...plannedListFields,
    ...pageFields,
    base: generationNumber.optional(),
    from: generationNumber.optional(),
    to: generationNumber.optional(),
  }),
  largeFor: 'authors',
  budget: listBudget,
  reply: z.object({
    changes: z.array(changeView),
    total: z.int(),
    index,
    changeDigest: z.string().optional().meta({ description: 'The plan of the submitted change list.' }),
  }),
  errors: ['generation.not_found', 'draft.not_found', 'conflict.stale_generation'],
  handle: async ({ body: { from, to, page, index, ...input }, ...request }) => {
    const { services, snapshot } = request
    if (from !== undefined || to !== undefined)
      return services.store.read((reader) =>
        pastChangeViews(reader, from ?? snapshot.generation, to ?? snapshot.generation, request),
      )
    const answer = await planChangeList(request, input, {
      ...pageOptions({ page, index }),
      skipsValidation: true,
    })
    const { changes, total, plan, index: named } = answer
    return {
      ...{ changes, total, changeDigest: plan.changeDigest },
      ...(named === undefined ? {} : { index: named }),
    }
  },
})

export const validate = defineRoute({
  method: 'post',
  path: '/metadata/v3/validate',
  name: 'validate',
  summary:
    'Validate a change list against the active generation; returns its findings, and their number if the list is truncated',
  effect: 'reads',
  body: list,
  author: true,
  budget: listBudget,
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
    'Plan an apply: changes, findings, permissions, slice budget, and the dependencies of selected drafts',
  effect: 'reads',
  body: z.strictObject({
    ...plannedListFields,
    ...pageFields,
    base: generationNumber.optional(),
    lineage: planLineage.optional(),
  }),
  largeFor: 'authors',
  budget: listBudget,
  reply: z.object({
    plan: planShape,
    changes: z.array(changeView),
    total: z.int(),
    findings: z.array(finding),
    findingsTotal: z.int().meta({ description: 'Number of findings if the list is truncated.' }),
    denials: z.array(denial),
    budget,
    closure: closure.optional(),
    index,
  }),
  errors: ['draft.not_found', 'conflict.stale_plan', 'conflict.stale_generation', 'generation.not_found'],
  handle: ({ body: { page, index, ...body }, ...request }) =>
    planChangeList(request, body, { ...pageOptions({ page, index }), includesClosure: true }),
})

export const apply = defineRoute({
  method: 'post',
  path: '/metadata/v3/apply',
  name: 'apply',
  summary: 'Apply a change list in one transaction, as one generation',
  effect: 'writes',
  body: z.strictObject({
    ...changeListFields,
    base: generationNumber.optional(),
    ...planFields,
  }),
  largeFor: 'authors',
  budget: changeListBudget,
  reply: applyResult,
  errors: [
    'deploy.invalid',
    'deploy.slice_budget',
    'deploy.secret_absent',
    'deploy.still_referenced',
    'deploy.field_in_use',
    'deploy.approval_required',
    'draft.not_found',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'generation.not_found',
  ],
  handle: async ({ body, ...request }) => {
    const outcome = await request.services.org.apply({ ...applyRequestOf(request, body), most: maxChanges })
    return appliedReply(request, outcome)
  },
})

/** The reviewed plan; any other is refused. */
const reviewedFields = {
  rationale: changeListFields.rationale,
  breaking: changeListFields.breaking,
  base: generationNumber.optional(),
  ...planFields,
}

const restoreErrors = [
  'deploy.invalid',
  'deploy.still_referenced',
  'deploy.field_in_use',
  'deploy.slice_budget',
  'deploy.secret_absent',
  'deploy.approval_required',
  'generation.not_found',
  'conflict.stale_plan',
  'conflict.stale_generation',
] as const

export const rollback = defineRoute({
  method: 'post',
  path: '/metadata/v3/rollback',
  name: 'rollback',
  summary: 'Apply the content of an older generation as a new generation',
  effect: 'writes',
  // A negative number is treated like any other generation that does not exist.
  body: z.strictObject({ ...reviewedFields, generation: z.int() }),
  reply: applyResult,
  errors: [...restoreErrors],
  handle: async ({ body: { generation, ...terms }, ...request }) => {
    const list = applyRequestOf(request, { ...terms, generation })
    return appliedReply(request, await request.services.org.apply({ ...list, most: maxChanges }))
  },
})

export const revert = defineRoute({
  method: 'post',
  path: '/metadata/v3/revert',
  name: 'revert',
  summary:
    'Undo the changes of one generation, all of them or those to single components, and keep all later changes',
  effect: 'writes',
  body: z.strictObject({ ...reviewedFields, ...revertFields }),
  reply: applyResult,
  errors: [...restoreErrors, 'component.not_found'],
  handle: async ({ body, ...request }) => {
    const { rationale, breaking, base, lineage, changeDigest, planBase, ...revert } = body
    const terms = { rationale, breaking, base, lineage, changeDigest, planBase }
    const list = applyRequestOf(request, { ...terms, revert })
    return appliedReply(request, await request.services.org.apply({ ...list, most: maxChanges }))
  },
})
