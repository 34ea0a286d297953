// Shapes of a history by generation.
import { z } from 'zod'
import { changeView } from './changes.ts'
import { generationRow, pageQuery, wholeNumber } from './common.ts'

export const historyQuery = {
  before: wholeNumber.optional().meta({ description: 'Only generations before this one.' }),
  limit: pageQuery.limit,
}

export const historyPage = {
  history: z.array(z.object({ generation: generationRow, changes: z.array(changeView) })),
  total: z.int(),
  before: z.int().nullable(),
}
