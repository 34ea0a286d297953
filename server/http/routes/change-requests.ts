// Change requests: submitted, reviewed, approved by digest, applied by a person or on their date (completions 4).
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { changeRequestStates, type ChangeRequestState } from '#kernel/requests/index.ts'
import { cursorPlace, cursorText } from '../cursor.ts'
import { Reply } from '../reply.ts'
import { writtenListBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { applied } from '../schemas/changes.ts'
import {
  applyFields,
  approvalFields,
  changeRequest,
  changeRequestDetail,
  editFields,
  reason,
  requestFields,
  requestId,
  said,
  submitted,
} from '../schemas/change-requests.ts'
import { civilDate, pageQuery } from '../schemas/common.ts'
import { asAsked } from '../views/as-asked.ts'
import { appliedView, changeListOf, applyRequestOf } from '../views/change-list.ts'
import { detailView, submittedView } from '../views/change-request.ts'
import { mostChanges } from '../views/generation-changes.ts'

const path = '/metadata/v3/change-requests'

const statesOf = z
  .string()
  .transform((text) => text.split(','))
  .refine((states) => states.every((state) => changeRequestStates.includes(state as ChangeRequestState)), {
    error: `state is one of ${changeRequestStates.join(', ')}, or several separated by commas.`,
  })
  .transform((states) => states as ChangeRequestState[])

export const changeRequests = defineRoute({
  method: 'get',
  path,
  name: 'listChangeRequests',
  summary: 'List change requests, newest first',
  effect: 'reads',
  query: z.strictObject({
    state: statesOf
      .optional()
      .meta({ description: 'Only requests in one of these states, such as open,approved.' }),
    author: z.string().optional(),
    ...pageQuery,
  }),
  reply: z.object({ requests: z.array(changeRequest), nextCursor: z.string().nullable() }),
  errors: [],
  handle: async ({ query: { state, author, limit, cursor }, ...request }) => {
    const question = JSON.stringify({ list: path, state, author })
    const before = cursorPlace(question, cursor)
    const { requests, next } = await request.services.requests.list(asAsked(request), {
      ...{ states: state, author, before, limit },
    })
    return { requests, nextCursor: next === null ? null : cursorText(question, next) }
  },
})

export const createChangeRequest = defineRoute({
  method: 'post',
  path,
  name: 'createChangeRequest',
  summary:
    'Create a change request from a change list as for /metadata/v3/apply; drafts are kept until it is applied',
  effect: 'writes',
  body: z.strictObject(requestFields),
  largeFor: 'authors',
  budget: writtenListBudget,
  status: 201,
  reply: submitted,
  errors: [
    'deploy.invalid',
    'draft.not_found',
    'request.invalid',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'conflict.exists',
    'generation.not_found',
    'org.busy',
  ],
  handle: async ({ body: { title, applyOn, ...list }, ...request }) => {
    const { source, base, lineage, changeDigest, planBase, rationale } = applyRequestOf(request, list)
    const made = await request.services.requests.create(asAsked(request), {
      ...{ source, base, lineage, changeDigest, planBase, rationale, title, applyOn },
      most: mostChanges,
    })
    return new Reply({
      status: 201,
      headers: { Location: `${path}/${made.request.id}` },
      json: submittedView(made),
    })
  },
})

export const oneChangeRequest = defineRoute({
  method: 'get',
  path: `${path}/{id}`,
  name: 'getChangeRequest',
  summary:
    'Get a change request with its changes over the active generation, findings, conflicts, approvals and history',
  effect: 'reads',
  params: requestId,
  reply: changeRequestDetail,
  errors: ['change_request.not_found'],
  handle: async ({ params: { id }, ...request }) =>
    detailView(await request.services.requests.get(asAsked(request), id, mostChanges)),
})

export const editChangeRequest = defineRoute({
  method: 'put',
  path: `${path}/{id}`,
  name: 'editChangeRequest',
  summary:
    'Update the change list, rationale, title or date of a change request; what is omitted stays. Voids the approvals',
  effect: 'writes',
  params: requestId,
  body: z.strictObject(editFields),
  largeFor: 'authors',
  budget: writtenListBudget,
  reply: submitted,
  errors: [
    'change_request.not_found',
    'conflict.request_state',
    'deploy.invalid',
    'draft.not_found',
    'request.invalid',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'generation.not_found',
    'org.busy',
  ],
  handle: async ({ params: { id }, body, ...request }) => {
    const { revision, title, applyOn, without, ...list } = body
    const { source, ...terms } = changeListOf(list)
    if (source !== null && without !== undefined)
      throw new AlmanacError(
        'request.malformed',
        'Send a new change list, or the components to remove from the current one, not both.',
      )
    const edit = { ...terms, ...(source === null ? {} : { source }), revision, title, applyOn, without }
    return submittedView(
      await request.services.requests.edit(asAsked(request), id, { ...edit, most: mostChanges }),
    )
  },
})

export const approveChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/approve`,
  name: 'approveChangeRequest',
  summary: 'Approve the reviewed digest of a change request of another author',
  effect: 'writes',
  params: requestId,
  body: z.strictObject(approvalFields),
  reply: changeRequest,
  errors: [
    'change_request.not_found',
    'access.own_approval',
    'conflict.stale_plan',
    'conflict.request_state',
    'org.busy',
  ],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.approve(asAsked(request), id, body),
})

export const rejectChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/reject`,
  name: 'rejectChangeRequest',
  summary: 'Reject a change request with a reason',
  effect: 'writes',
  params: requestId,
  body: z.strictObject({ reason: said }),
  reply: changeRequest,
  errors: ['change_request.not_found', 'conflict.request_state', 'org.busy'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.reject(asAsked(request), id, body.reason),
})

export const withdrawChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/withdraw`,
  name: 'withdrawChangeRequest',
  summary: 'Withdraw your own change request',
  effect: 'writes',
  params: requestId,
  body: z.strictObject({ reason: reason.optional() }),
  reply: changeRequest,
  errors: ['change_request.not_found', 'conflict.request_state', 'org.busy'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.withdraw(asAsked(request), id, body.reason ?? ''),
})

export const commentOnChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/comments`,
  name: 'commentOnChangeRequest',
  summary: 'Comment on a change request',
  effect: 'writes',
  params: requestId,
  body: z.strictObject({ text: said }),
  status: 201,
  reply: changeRequest,
  errors: ['change_request.not_found', 'org.busy'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.comment(asAsked(request), id, body.text),
})

export const scheduleChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/schedule`,
  name: 'scheduleChangeRequest',
  summary:
    'Set the date on which a change request is applied automatically; null removes it. A failed request waits again',
  effect: 'writes',
  params: requestId,
  body: z.strictObject({ applyOn: civilDate.nullable() }),
  reply: changeRequest,
  errors: ['change_request.not_found', 'conflict.request_state', 'request.invalid', 'org.busy'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.schedule(asAsked(request), id, body.applyOn),
})

export const applyChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/apply`,
  name: 'applyChangeRequest',
  summary:
    'Apply an approved change request with the rights of its author, in one transaction as one generation',
  effect: 'writes',
  params: requestId,
  body: z.strictObject(applyFields),
  reply: applied.extend({ request: changeRequest }).meta({ id: 'AppliedChangeRequest' }),
  errors: [
    'change_request.not_found',
    'deploy.approval_required',
    'conflict.request_state',
    'deploy.invalid',
    'deploy.slice_budget',
    'deploy.secret_absent',
    'deploy.still_referenced',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'generation.not_found',
    'org.busy',
  ],
  handle: async ({ params: { id }, body, ...request }) => {
    const { requests } = request.services
    const { outcome, request: done } = await requests.apply(asAsked(request), id, body, mostChanges)
    return { ...appliedView(request, outcome), request: done }
  },
})
