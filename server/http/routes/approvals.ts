// The number of approvals that the org requires before an apply.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { changeRequest } from '../schemas/change-requests.ts'
import { viewingActor } from '../views/viewing-actor.ts'

const approvals = z.object({ required: z.int() }).meta({
  id: 'Approvals',
  description:
    'Number of approvals that a change list needs before it is applied; 0 means that every user can apply directly.',
})

export const requiredApprovals = defineRoute({
  method: 'get',
  path: '/setup/v3/approvals',
  name: 'getRequiredApprovals',
  summary: 'Get the number of approvals that the org requires',
  effect: 'reads',
  reply: approvals,
  errors: [],
  handle: ({ services }) => ({ required: services.requests.requiredApprovals() }),
})

export const requireApprovals = defineRoute({
  method: 'put',
  path: '/setup/v3/approvals',
  name: 'requireApprovals',
  summary:
    'Set the number of approvals that the org requires; lowering it requires the approvals currently in force',
  effect: 'writes',
  permission: 'access.manage',
  body: z.strictObject({ required: z.int().min(0) }),
  reply: approvals.extend({
    request: changeRequest.optional().meta({
      description:
        'The change request for the lower number, which needs the approvals currently required; nothing has changed yet.',
    }),
  }),
  errors: ['request.invalid'],
  handle: async ({ services, body, ...request }) => {
    const waiting = await services.requests.setRequiredApprovals(viewingActor(request), body.required)
    return {
      required: services.requests.requiredApprovals(),
      ...(waiting === null ? {} : { request: waiting }),
    }
  },
})
