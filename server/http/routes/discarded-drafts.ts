// Discards drafts, one or many, and restores them exactly.
import { z } from 'zod'
import type { DiscardedDrafts } from '#wire/index.ts'
import { lastDiscardedBatch } from '../../pipeline/index.ts'
import { manyDraftsBudget } from '../budget.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { componentId } from '../schemas/common.ts'

const path = '/setup/v3/discarded-drafts'
const schema = z
  .object({
    id: z.string(),
    at: z.string(),
    until: z.string().meta({ description: 'Time until which they can be restored.' }),
    drafts: z.array(componentId),
  })
  .meta({ id: 'DiscardedDrafts' }) satisfies z.ZodType<DiscardedDrafts>
const params = z.strictObject({ id: z.string().max(80) })

export const lastDiscardedDrafts = defineRoute({
  method: 'get',
  path,
  name: 'lastDiscardedDrafts',
  summary: 'Get the drafts that you discarded last, if they can still be restored',
  effect: 'reads',
  reply: z.object({ discarded: schema.nullable() }),
  errors: [],
  handle: ({ services: { store, org }, access }) => ({
    discarded: store.read((reader) => lastDiscardedBatch(reader, access.user, org.clock)),
  }),
})

export const discardManyDrafts = defineRoute({
  method: 'post',
  path,
  name: 'discardDrafts',
  summary: 'Discard drafts, all or none; they can be restored for a day, or until you discard others',
  effect: 'writes',
  author: true,
  budget: manyDraftsBudget,
  body: z.strictObject({
    drafts: z
      .union([z.literal('own'), z.array(componentId).min(1)])
      .meta({ description: '"own" for all drafts that only the caller wrote.' }),
    others: z.boolean().optional().meta({
      description: 'Whether drafts that other users wrote or changed can be included; default false.',
    }),
  }),
  status: 201,
  reply: schema,
  errors: ['draft.not_found', 'conflict.stale_draft', 'access.denied'],
  handle: ({ services: { org }, body: { drafts, others = false }, viewer, by }) =>
    org.discardDrafts({ actor: by, drafts, includesOthers: others, viewer }),
})

export const restoreDiscardedDrafts = defineRoute({
  method: 'post',
  path: `${path}/{id}/restore`,
  name: 'restoreDiscardedDrafts',
  summary: 'Restore discarded drafts exactly as they were, all or none',
  effect: 'writes',
  author: true,
  budget: manyDraftsBudget,
  params,
  reply: schema,
  errors: ['draft.not_found', 'conflict.stale_draft', 'access.denied'],
  handle: ({ services: { org }, params: { id }, viewer, by }) => org.restoreDrafts(id, { actor: by, viewer }),
})

export const forgetDiscardedDrafts = defineRoute({
  method: 'delete',
  path: `${path}/{id}`,
  name: 'forgetDiscardedDrafts',
  summary: 'Delete discarded drafts permanently',
  effect: 'writes',
  budget: manyDraftsBudget,
  params,
  status: 204,
  errors: [],
  handle: async ({ services: { org }, params: { id }, by }) => {
    await org.forgetDrafts(id, by)
    return emptyReply()
  },
})
