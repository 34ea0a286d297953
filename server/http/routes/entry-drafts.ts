// The drafts of the entries of a set or flag, for a grid with them over its rows.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { visibleDraftBriefsInChunks } from '../../pipeline/index.ts'
import type { DraftSummary } from '#wire/index.ts'
import { emptyReply, jsonPiecesReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { componentKey, draftRow } from '../schemas/common.ts'
import { draftPieces } from '../views/draft-pieces.ts'

export const entryDrafts = defineRoute({
  method: 'get',
  path: '/metadata/v3/components/{type}/{key}/entry-drafts',
  name: 'listEntryDrafts',
  summary:
    'List the drafts of entries of a set or flag; the ETag covers their versions, so unchanged drafts return 304',
  effect: 'reads',
  params: z.strictObject({ type: z.enum(['config_set', 'feature_flag']), key: componentKey }),
  reply: z.object({ drafts: z.array(draftRow) }),
  requestHeaders: ['If-None-Match'],
  etag: true,
  errors: [],
  handle: async ({ services, params: { key: set }, viewer, raw }) => {
    const shown = await visibleDraftBriefsInChunks(services.store, viewer)
    const drafts = shown.filter(({ id }) => id.startsWith(`config_entry/${set}.`))
    const tag = tagOf(drafts)
    const headers = { ETag: tag }
    if (raw.request.get('If-None-Match') === tag) return emptyReply({ status: 304, headers })
    const ids = drafts.map(({ id }) => id)
    return jsonPiecesReply(draftPieces(services.store, ids, viewer), { headers })
  },
})

function tagOf(drafts: readonly DraftSummary[]): string {
  const hash = createHash('sha256')
  for (const { id, version, updatedAt } of drafts) hash.update(`${id}@${version}@${updatedAt}\n`)
  return `"${hash.digest('base64url')}"`
}
