// Change requests: submitted, reviewed, approved by digest, applied by a person or on their date.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { changeRequestStates, type ChangeRequestState } from '#kernel/requests/index.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { jsonReply } from '../reply.ts'
import { changeListBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { applyResult } from '../schemas/changes.ts'
import {
  applyFields,
  approvalFields,
  changeRequest,
  changeRequestDetail,
  editFields,
  reason,
  requestFields,
  requestId,
  commentText,
  submittedChangeRequest,
} from '../schemas/change-requests.ts'
import { civilDate, pageQuery } from '../schemas/common.ts'
import { viewingActor } from '../views/viewing-actor.ts'
import { appliedReply, changeSourceOf, applyRequestOf } from '../views/change-list.ts'
import { requestDetailView, submittedView } from '../../requests/index.ts'
import { maxChanges } from '../views/generation-changes.ts'

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
    const before = decodeCursor(question, cursor)
    const { requests, next } = await request.services.requests.list(viewingActor(request), {
      ...{ states: state, author, before, limit },
    })
    return { requests, nextCursor: next === null ? null : encodeCursor(question, next) }
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
  budget: changeListBudget,
  status: 201,
  reply: submittedChangeRequest,
  errors: [
    'deploy.invalid',
    'draft.not_found',
    'request.invalid',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'conflict.exists',
    'generation.not_found',
  ],
  handle: async ({ body: { title, applyOn, ...list }, ...request }) => {
    const { source, base, lineage, changeDigest, planBase, rationale } = applyRequestOf(request, list)
    const submission = await request.services.requests.create(viewingActor(request), {
      ...{ source, base, lineage, changeDigest, planBase, rationale, title, applyOn },
      most: maxChanges,
    })
    return jsonReply(submittedView(submission), {
      status: 201,
      headers: { Location: `${path}/${submission.request.id}` },
    })
  },
})

export const getChangeRequest = defineRoute({
  method: 'get',
  path: `${path}/{id}`,
  name: 'getChangeRequest',
  summary:
    'Get a change request with its changes against the active generation, findings, conflicts, approvals and history',
  effect: 'reads',
  params: requestId,
  reply: changeRequestDetail,
  errors: ['change_request.not_found'],
  handle: async ({ params: { id }, ...request }) => {
    const detail = await request.services.requests.get(viewingActor(request), id, maxChanges)
    const view = requestDetailView({ ...detail, changes: [...detail.changes] })
    return { ...view, changes: [...view.changes] }
  },
})

export const editChangeRequest = defineRoute({
  method: 'put',
  path: `${path}/{id}`,
  name: 'editChangeRequest',
  summary:
    'Update the change list, rationale, title or date of a change request; omitted properties are unchanged. Voids the approvals',
  effect: 'writes',
  params: requestId,
  body: z.strictObject(editFields),
  largeFor: 'authors',
  budget: changeListBudget,
  reply: submittedChangeRequest,
  errors: [
    'change_request.not_found',
    'conflict.request_state',
    'deploy.invalid',
    'draft.not_found',
    'request.invalid',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'generation.not_found',
  ],
  handle: async ({ params: { id }, body, ...request }) => {
    const { revision, title, applyOn, without, ...list } = body
    const { source, ...terms } = changeSourceOf(list)
    if (source !== null && without !== undefined)
      throw new AlmanacError(
        'request.malformed',
        'Send a new change list, or the components to remove from the current one, not both.',
      )
    const edit = { ...terms, ...(source === null ? {} : { source }), revision, title, applyOn, without }
    return submittedView(
      await request.services.requests.edit(viewingActor(request), id, { ...edit, most: maxChanges }),
    )
  },
})

export const approveChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/approve`,
  name: 'approveChangeRequest',
  summary: 'Approve the reviewed digest of another author’s change request',
  effect: 'writes',
  params: requestId,
  body: z.strictObject(approvalFields),
  reply: changeRequest,
  errors: [
    'change_request.not_found',
    'access.own_approval',
    'conflict.stale_plan',
    'conflict.request_state',
  ],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.approve(viewingActor(request), id, body),
})

export const rejectChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/reject`,
  name: 'rejectChangeRequest',
  summary: 'Reject a change request with a reason',
  effect: 'writes',
  params: requestId,
  body: z.strictObject({ reason: commentText }),
  reply: changeRequest,
  errors: ['change_request.not_found', 'conflict.request_state'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.reject(viewingActor(request), id, body.reason),
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
  errors: ['change_request.not_found', 'conflict.request_state'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.withdraw(viewingActor(request), id, body.reason ?? ''),
})

export const commentOnChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/comments`,
  name: 'commentOnChangeRequest',
  summary: 'Comment on a change request',
  effect: 'writes',
  params: requestId,
  body: z.strictObject({ text: commentText }),
  status: 201,
  reply: changeRequest,
  errors: ['change_request.not_found'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.comment(viewingActor(request), id, body.text),
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
  errors: ['change_request.not_found', 'conflict.request_state', 'request.invalid'],
  handle: ({ params: { id }, body, ...request }) =>
    request.services.requests.schedule(viewingActor(request), id, body.applyOn),
})

export const applyChangeRequest = defineRoute({
  method: 'post',
  path: `${path}/{id}/apply`,
  name: 'applyChangeRequest',
  summary:
    'Apply an approved change request with the permissions of its author, in one transaction, as one generation',
  effect: 'writes',
  params: requestId,
  body: z.strictObject(applyFields),
  reply: applyResult.extend({ request: changeRequest }).meta({ id: 'AppliedChangeRequest' }),
  errors: [
    'change_request.not_found',
    'deploy.approval_required',
    'conflict.request_state',
    'deploy.invalid',
    'deploy.slice_budget',
    'deploy.secret_absent',
    'deploy.still_referenced',
    'deploy.field_in_use',
    'conflict.stale_plan',
    'conflict.stale_generation',
    'generation.not_found',
  ],
  handle: async ({ params: { id }, body, ...request }) => {
    const { requests } = request.services
    const { outcome, request: done } = await requests.apply(viewingActor(request), id, body, maxChanges)
    return { ...appliedReply(request, outcome), request: done }
  },
})
