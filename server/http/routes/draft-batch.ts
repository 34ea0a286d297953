// Saves many drafts in one request, as a sheet does: all or none.
import { z } from 'zod'
import type { DraftBatchItem } from '../../pipeline/index.ts'
import { mebibyte, listWriteBudget } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { componentId, generationNumber } from '../schemas/common.ts'

const versionFields = { id: componentId, version: z.int().min(0) }
const edit = z.strictObject({
  path: z.array(z.string()).min(1),
  value: z.unknown().optional().meta({ description: 'If omitted, the value is removed.' }),
})
const drafts = z.array(
  z.union([
    z.strictObject({
      ...versionFields,
      text: z.string().nullable(),
      base: generationNumber.optional(),
      restores: generationNumber.optional().meta({
        description:
          'An older generation. If its component with this id was removed, a new draft restores it with its history and stored results.',
      }),
    }),
    z.strictObject({ ...versionFields, edits: z.array(edit) }),
    z.strictObject({ ...versionFields, drop: z.literal(true) }),
  ]),
)

export const saveDrafts = defineRoute({
  method: 'put',
  path: '/setup/v3/drafts',
  name: 'keepDrafts',
  summary:
    'Save many drafts at once, all or none: as text, as edits of single values, or discarded; each names the version it is based on',
  effect: 'writes',
  body: z.strictObject({ drafts }),
  author: true,
  budget: { ...listWriteBudget, bytes: 64 * mebibyte },
  reply: z.object({
    versions: z.array(z.int()).meta({ description: 'One for each draft; 0 if it no longer exists.' }),
  }),
  errors: [
    'conflict.stale_draft',
    'conflict.stale_generation',
    'component.not_found',
    'request.invalid',
    'access.denied',
  ],
  handle: async ({ services, body, viewer, by }) => {
    const drafts = body.drafts as DraftBatchItem[]
    const saved = await services.org.saveDraftBatch({ drafts, actor: by, viewer })
    return { versions: saved.map(({ version }) => version) }
  },
})
