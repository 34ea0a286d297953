// How many approvals the org asks for before anything applies (completions 4).
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { changeRequest } from '../schemas/change-requests.ts'
import { asAsked } from '../views/as-asked.ts'

const approvals = z.object({ required: z.int() }).meta({
  id: 'Approvals',
  description: 'Approvals that a change list needs before it applies; with 0 every door applies.',
})

export const requiredApprovals = defineRoute({
  method: 'get',
  path: '/setup/v3/approvals',
  name: 'getRequiredApprovals',
  summary: 'How many approvals the org asks for',
  effect: 'reads',
  reply: approvals,
  errors: [],
  handle: ({ services }) => ({ required: services.requests.required() }),
})

export const requireApprovals = defineRoute({
  method: 'put',
  path: '/setup/v3/approvals',
  name: 'requireApprovals',
  summary: 'Set how many approvals the org asks for; fewer than now wait for the approvals in force',
  effect: 'writes',
  permission: 'access.manage',
  body: z.strictObject({ required: z.int().min(0) }),
  reply: approvals.extend({
    request: changeRequest.optional().meta({
      description: 'The change request that waits for the approvals in force; nothing has changed yet.',
    }),
  }),
  errors: ['request.invalid', 'org.busy'],
  handle: async ({ services, body, ...request }) => {
    const waiting = await services.requests.require(asAsked(request), body.required)
    return { required: services.requests.required(), ...(waiting === null ? {} : { request: waiting }) }
  },
})
