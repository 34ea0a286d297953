// Exports a review as one self-contained HTML file, which a browser can print as PDF.
import { z } from 'zod'
import { mediaReply } from '../reply.ts'
import { listBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { plannedListFields } from '../schemas/changes.ts'
import { generationNumber } from '../schemas/common.ts'
import { applyRequestOf } from '../views/change-list.ts'

const maxChanges = 1000
const maxKeys = 20_000
const maxResults = 20_000

export const reviewDocument = defineRoute({
  method: 'post',
  path: '/metadata/v3/review-document',
  name: 'reviewDocument',
  summary:
    'Export the review of a change list as one HTML file: changes in words, findings, impact, rationale, digest',
  effect: 'reads',
  body: z.strictObject({ ...plannedListFields, base: generationNumber.optional() }),
  // It contains the impact, which names users.
  author: true,
  budget: listBudget,
  media: 'text/html',
  errors: ['draft.not_found', 'conflict.stale_generation', 'generation.not_found', 'access.denied'],
  handle: async ({ body, ...request }) => {
    const list = applyRequestOf(request, body)
    const { longReads } = request.services
    const text = await longReads.reviewDocument({
      list,
      most: maxChanges,
      keys: maxKeys,
      results: maxResults,
    })
    return mediaReply('text/html; charset=utf-8', {
      text,
      // Saved as a file, never shown as a page of this server.
      headers: { 'Content-Disposition': 'attachment; filename="review.html"' },
    })
  },
})
