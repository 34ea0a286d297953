// Deletes the content of old generations, unless a stored result is bound to it.
import { z } from 'zod'
import { purgeBefore } from '../../pipeline/index.ts'
import { historyBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'

export const purge = defineRoute({
  method: 'post',
  path: '/setup/v3/purge',
  name: 'purgeGenerations',
  summary:
    'Delete the content of the generations before one; refused if a stored result is bound to one of them',
  effect: 'writes',
  permission: 'operations.manage',
  budget: historyBudget,
  body: z.strictObject({ before: z.int().min(1) }),
  reply: z.object({ generations: z.int(), versions: z.int() }),
  errors: ['deploy.history_bound', 'generation.not_found'],
  handle: ({ services, body, by }) => purgeBefore(services.org, by, body.before),
})
