// The impact of a change list before its apply.
import { z } from 'zod'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { listBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { plannedListFields } from '../schemas/changes.ts'
import { generationNumber } from '../schemas/common.ts'
import { impact as impactShape, recordsImpact as recordsImpactShape } from '../schemas/impact.ts'
import type { ImpactRequest, RecordsImpactRequest } from '../../impact/index.ts'
import type { ApplyRequest } from '../../pipeline/index.ts'
import { requestId } from '../schemas/change-requests.ts'
import { viewingActor } from '../views/viewing-actor.ts'
import { applyRequestOf } from '../views/change-list.ts'

/** Default number of items in each list. */
const maxItems = 200
/** Default number of keys to check. */
const maxKeys = 20_000
/** Default number of stored results to check. */
const maxResults = 5000

const impactFields = {
  limit: z
    .int()
    .min(1)
    .max(2000)
    .optional()
    .meta({ description: 'Maximum number of items in each list; default 200.' }),
  keys: z
    .strictObject({ from: z.int().min(0), count: z.int().min(1).max(maxKeys).optional() })
    .optional()
    .meta({ description: 'Which of the affected keys to check; default the first 20,000.' }),
  results: z
    .strictObject({ after: z.uuid().optional(), look: z.int().min(0).max(50_000).optional() })
    .optional()
    .meta({ description: 'Where to continue in the stored results (`next`), and how many to check.' }),
}

interface ImpactOptions {
  limit?: number | undefined
  keys?: { from: number; count?: number | undefined } | undefined
  results?: { after?: string | undefined; look?: number | undefined } | undefined
}

function impactRequest(list: ApplyRequest, { limit, keys, results }: ImpactOptions): ImpactRequest {
  return {
    list,
    keys: { from: keys?.from ?? 0, count: keys?.count ?? maxKeys },
    results: { after: results?.after, look: results?.look ?? maxResults },
    most: limit ?? maxItems,
  }
}

export const impact = defineRoute({
  method: 'post',
  path: '/metadata/v3/impact',
  name: 'impact',
  summary:
    'Get the impact of a change list: what reads the changed components, where and when values differ, and which stored results',
  effect: 'reads',
  body: z.strictObject({
    ...plannedListFields,
    base: generationNumber.optional(),
    ...impactFields,
  }),
  // It names users and the values that they get.
  author: true,
  budget: listBudget,
  reply: impactShape,
  errors: ['draft.not_found', 'conflict.stale_generation', 'generation.not_found', 'access.denied'],
  handle: ({ body: { limit, keys, results, ...sent }, ...request }) => {
    const list = applyRequestOf(request, sent)
    return request.services.longReads.impact(impactRequest(list, { limit, keys, results }))
  },
})

export const changeRequestImpact = defineRoute({
  method: 'post',
  path: '/metadata/v3/change-requests/{id}/impact',
  name: 'changeRequestImpact',
  summary:
    'Get the impact of a change request against the active generation, for its author and its approvers',
  effect: 'reads',
  params: requestId,
  body: z.strictObject(impactFields),
  budget: { lane: 'long', deadlineMs: listBudget.deadlineMs! },
  reply: impactShape,
  errors: ['change_request.not_found', 'conflict.stale_generation', 'generation.not_found', 'access.denied'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.longReads.impact(
      impactRequest(request.services.requests.planRequestOf(viewingActor(request), id), body),
    ),
})

/** How long one part of the records takes at most, in milliseconds. */
const lookMs = 1500

const recordsFields = {
  limit: z
    .int()
    .min(0)
    .max(200)
    .optional()
    .meta({ description: 'Maximum number of records that are named for each field; default 20.' }),
  after: z
    .string()
    .max(10_000)
    .optional()
    .meta({ description: '`next` of the previous part, for the same list.' }),
  look: z.int().min(1).max(100_000).optional().meta({
    description:
      'Maximum number of records in this part. A part ends after 1.5 seconds; one takes longer if it first has to find the children that a formula moves to other parents.',
  }),
}

interface RecordsOptions {
  limit?: number | undefined
  after?: string | undefined
  look?: number | undefined
}

function recordsRequest(
  list: ApplyRequest,
  scopePath: ScopePath,
  { limit = 20, after, look = 100_000 }: RecordsOptions,
): RecordsImpactRequest {
  return { ...{ list, scopePath, look, lookMs, most: limit }, ...(after === undefined ? {} : { after }) }
}

export const recordsImpact = defineRoute({
  method: 'post',
  path: '/metadata/v3/impact/records',
  name: 'recordsImpact',
  summary: 'Get the stored values of records that a recompute after a change list would change, part by part',
  effect: 'reads',
  body: z.strictObject({ ...plannedListFields, base: generationNumber.optional(), ...recordsFields }),
  author: true,
  budget: listBudget,
  reply: recordsImpactShape,
  errors: [
    ...(['draft.not_found', 'conflict.stale_generation', 'generation.not_found'] as const),
    ...(['access.denied', 'request.malformed'] as const),
  ],
  handle: ({ body: { limit, after, look, ...sent }, ...request }) =>
    request.services.longReads.recordsImpact(
      recordsRequest(applyRequestOf(request, sent), request.scopePath, { limit, after, look }),
    ),
})

export const changeRequestRecordsImpact = defineRoute({
  method: 'post',
  path: '/metadata/v3/change-requests/{id}/impact/records',
  name: 'changeRequestRecordsImpact',
  summary: 'The same for a change request, for its author and its approvers',
  effect: 'reads',
  params: requestId,
  body: z.strictObject(recordsFields),
  budget: { lane: 'long', deadlineMs: listBudget.deadlineMs! },
  reply: recordsImpactShape,
  errors: [
    ...(['change_request.not_found', 'conflict.stale_generation', 'generation.not_found'] as const),
    ...(['access.denied', 'request.malformed'] as const),
  ],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.longReads.recordsImpact(
      recordsRequest(
        request.services.requests.planRequestOf(viewingActor(request), id),
        request.scopePath,
        body,
      ),
    ),
})
