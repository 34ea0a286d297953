// What a change list does beyond itself, before anybody applies it (studio: Review, impact).
import { z } from 'zod'
import { demandAuthor } from '../../access/index.ts'
import { listBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { judgedListFields } from '../schemas/changes.ts'
import { generationNumber } from '../schemas/common.ts'
import { impact as impactShape } from '../schemas/impact.ts'
import { applyRequestOf } from '../views/change-list.ts'

/** Items of one list that an answer shows. */
const mostShown = 200
/** Keys that one answer looks at where nobody says. */
const mostKeys = 20_000
/** Stored results that one answer looks at where nobody says. */
const mostResults = 5000

export const impact = defineRoute({
  method: 'post',
  path: '/metadata/v3/impact',
  name: 'impact',
  summary:
    'What reads what a change list changes, on which days and for whom it answers otherwise, which stored results',
  effect: 'reads',
  body: z.strictObject({
    ...judgedListFields,
    base: generationNumber.optional(),
    limit: z
      .int()
      .min(1)
      .max(2000)
      .optional()
      .meta({ description: 'Most items of each list; 200 where left out.' }),
    keys: z
      .strictObject({ from: z.int().min(0), count: z.int().min(1).max(mostKeys).optional() })
      .optional()
      .meta({ description: 'Which of the touched keys to look at; the first 20,000 where left out.' }),
    results: z
      .strictObject({ after: z.string().optional(), look: z.int().min(0).max(50_000).optional() })
      .optional()
      .meta({ description: 'Where to go on among the stored results (`next`), and how many to look at.' }),
  }),
  author: true,
  budget: listBudget,
  reply: impactShape,
  errors: ['draft.not_found', 'conflict.stale_generation', 'generation.not_found', 'access.denied'],
  handle: ({ body: { limit, keys, results, ...list }, ...request }) => {
    // It names users and what they are answered.
    demandAuthor(request.access)
    return request.services.longReads.impact({
      list: applyRequestOf(request, list),
      keys: { from: keys?.from ?? 0, count: keys?.count ?? mostKeys },
      results: { after: results?.after, look: results?.look ?? mostResults },
      most: limit ?? mostShown,
    })
  },
})
