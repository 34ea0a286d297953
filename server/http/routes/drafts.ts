// Drafts: text as typed, saved while typing.
import { z } from 'zod'
import { componentId } from '#kernel/components/component.ts'
import {
  isOwnDraft,
  isSameWriter,
  visibleDraftBriefs,
  visibleDraftBriefsInChunks,
  type SavedDraft,
} from '../../pipeline/index.ts'
import { mebibyte, wholeOrgBudget, listWriteBudget } from '../budget.ts'
import type { DraftSummary } from '#wire/index.ts'
import { jsonPiecesReply } from '../reply.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import type { DraftNames, SavedDraftView } from '#wire/index.ts'
import {
  componentKey,
  componentType,
  draftRow,
  generationNumber,
  savedDraft,
  writer,
} from '../schemas/common.ts'
import { draftPieces } from '../views/draft-pieces.ts'

/** Returns the author of a draft that the user did not write alone, or another writer. */
function otherWriter({ author, writers }: DraftSummary, user: string): string {
  if (author !== user) return author
  return writers.find((writer) => writer.user !== user)?.user ?? author
}

const params = z.strictObject({ type: componentType, key: componentKey })

export const drafts = defineRoute({
  method: 'get',
  path: '/setup/v3/drafts',
  name: 'listDrafts',
  summary: 'List all drafts',
  effect: 'reads',
  reply: z.object({ drafts: z.array(draftRow) }),
  errors: [],
  handle: async ({ services: { store }, viewer }) => {
    const ids = (await visibleDraftBriefsInChunks(store, viewer)).map(({ id }) => id)
    return jsonPiecesReply(draftPieces(store, ids, viewer))
  },
})

export const listDraftNames = defineRoute({
  method: 'get',
  path: '/setup/v3/draft-names',
  name: 'nameDrafts',
  summary:
    'List the ids of all drafts without their texts, and another writer of each draft that you did not write alone',
  effect: 'reads',
  budget: wholeOrgBudget,
  reply: z.object({
    drafts: z.array(z.string()),
    others: z.record(z.string(), z.string()),
    writers: z
      .record(z.string(), z.array(writer))
      .meta({ description: 'All writers of each draft that you did not write alone.' }),
    you: writer,
  }),
  errors: [],
  handle: ({ services, viewer, by }): DraftNames => {
    const rows = services.store.read((reader) => visibleDraftBriefs(reader, viewer))
    const others = rows.filter((row) => !isOwnDraft(row, by.actor))
    const you = { user: by.actor, operator: by.operatorName ?? null }
    const shared = rows.filter((row) => row.writers.some((each) => !isSameWriter(each, you)))
    return {
      drafts: rows.map(({ id }) => id),
      others: Object.fromEntries(others.map((row) => [row.id, otherWriter(row, by.actor)])),
      writers: Object.fromEntries(shared.map(({ id, writers }) => [id, writers])),
      you,
    }
  },
})

export const saveDraft = defineRoute({
  method: 'put',
  path: '/setup/v3/drafts/{type}/{key}',
  name: 'saveDraft',
  summary: 'Save a draft as typed; text null removes the component, version 0 creates a draft',
  effect: 'writes',
  params,
  body: z.strictObject({
    text: z.string().nullable(),
    version: z.int().min(0),
    base: generationNumber.optional().meta({
      description: 'The active generation, once the author has reviewed what changed under the draft.',
    }),
  }),
  author: true,
  budget: { ...listWriteBudget, bytes: 32 * mebibyte },
  reply: savedDraft,
  errors: [
    'conflict.stale_draft',
    'conflict.stale_generation',
    'component.not_found',
    'request.invalid',
    'access.denied',
  ],
  handle: async ({ params: { type, key }, body: { base, ...body }, ...request }) => {
    const { services, by, viewer } = request
    const draft = { ...body, ...(base === undefined ? {} : { base }), id: componentId(type, key) }
    return savedView(request, await services.org.saveDraft({ ...draft, actor: by, viewer }))
  },
})

export const discardDraft = defineRoute({
  method: 'delete',
  path: '/setup/v3/drafts/{type}/{key}',
  name: 'discardDraft',
  summary: 'Discard a draft',
  effect: 'writes',
  params,
  status: 204,
  errors: ['draft.not_found', 'access.denied'],
  handle: ({ params: { type, key }, services, by, viewer }) =>
    services.org.discardDraft(componentId(type, key), { actor: by, viewer }),
})

type CallerContext = Pick<SignedInRequest<unknown, unknown, unknown>, 'services' | 'access' | 'by'>

/** Adds the findings of the text, or if it has no errors, those of all drafts together for this component. */
async function savedView(
  { services, access }: CallerContext,
  { draft, findings, unchanged }: SavedDraft,
): Promise<SavedDraftView> {
  if (unchanged) return { ...draft, findings: [], unchanged }
  if (findings.some(({ severity }) => severity === 'error')) return { ...draft, findings, unchanged }
  const all = await services.problems.all(access.user)
  return { ...draft, findings: all.filter(({ component }) => component === draft.id), unchanged }
}
