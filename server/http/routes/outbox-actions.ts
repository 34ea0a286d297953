// Actions over all dead calls of a filter: counted first, then run as a job.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { instant } from '../schemas/common.ts'
import { handledMembers, handlingMembers } from '../schemas/dead-items.ts'

export const handleOutbox = defineRoute({
  method: 'post',
  path: '/setup/v3/outbox/actions',
  name: 'handleOutbox',
  summary: 'Requeue, resolve or discard all dead calls of a filter as a job; or only count them',
  effect: 'writes',
  permission: 'operations.manage',
  body: z.strictObject({
    action: z.enum(['requeue', 'resolve', 'discard']),
    filter: z.strictObject({
      credential: z.string().max(200).optional(),
      record: z.string().max(300).optional().meta({ description: '<object>/<id>' }),
      correlationId: z.string().max(200).optional(),
      ...{ since: instant.optional(), until: instant.optional() },
    }),
    acceptRepeat: z.boolean().default(false).meta({
      description:
        'Whether to requeue calls that the target may have carried out, without a declared key. Otherwise they stay dead.',
    }),
    ...handlingMembers,
  }),
  reply: z
    .object({
      rows: z.int().meta({ description: 'Dead calls of the filter.' }),
      ...handledMembers,
    })
    .meta({ id: 'OutboxAction' }),
  errors: ['request.invalid'],
  handle: async ({ services, by, body: { dryRun, ...request } }) => {
    if (dryRun) return { ...(await services.outboxActions.count(request.filter)), job: null }
    const started = await services.outboxActions.start(by, request)
    services.recordJobs?.wake()
    return started
  },
})
