// Searches keys, labels, values and expressions.
import { z } from 'zod'
import { wholeOrgBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { componentType, pageQuery } from '../schemas/common.ts'
import { searchComponents } from '../views/search-answer.ts'

const hit = z.object({
  id: z.string(),
  type: componentType,
  key: z.string(),
  label: z.string(),
  rank: z.enum(['key', 'name', 'text']),
  draft: z.boolean(),
  places: z.array(
    z.object({ path: z.string(), excerpt: z.string(), marks: z.array(z.tuple([z.int(), z.int()])) }),
  ),
})

export const search = defineRoute({
  method: 'get',
  path: '/setup/v3/search',
  name: 'search',
  summary: 'Search components that contain all words, keys and labels first; with the position of each match',
  effect: 'reads',
  query: z.strictObject({
    q: z.string().min(1).max(200).meta({ description: 'Words; each matches the beginning of a word.' }),
    type: componentType.optional(),
    entries: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'false excludes configuration entries.' }),
    app: z.string().max(80).optional().meta({
      description:
        'Only components that belong to this app: those that it names, directly or indirectly, and its entries.',
    }),
    ...pageQuery,
  }),
  budget: wholeOrgBudget,
  reply: z.object({ hits: z.array(hit), total: z.int().nullable(), nextCursor: z.string().nullable() }),
  errors: [],
  handle: ({ query, ...request }) =>
    searchComponents(request, { ...query, entries: query.entries !== 'false' }),
})
