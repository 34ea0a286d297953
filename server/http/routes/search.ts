// Search over keys, labels, values and expressions (studio: global search).
import { z } from 'zod'
import { wholeOrgBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { componentType, pageQuery } from '../schemas/common.ts'
import { searchAnswer } from '../views/search-answer.ts'

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
  summary: 'Components that say every word, keys and labels first; where each says it',
  effect: 'reads',
  query: z.strictObject({
    q: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'Words, each the beginning of a word of what is found.' }),
    type: componentType.optional(),
    entries: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'false leaves configuration entries out.' }),
    app: z.string().max(80).optional().meta({
      description: 'Only what belongs to this app: what it names, directly or not, and entries for it.',
    }),
    ...pageQuery,
  }),
  budget: wholeOrgBudget,
  reply: z.object({ hits: z.array(hit), total: z.int().nullable(), nextCursor: z.string().nullable() }),
  errors: [],
  handle: ({ query, ...request }) => searchAnswer(request, { ...query, entries: query.entries !== 'false' }),
})
