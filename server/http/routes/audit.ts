// The audit, newest first.
import { z } from 'zod'
import { auditFormats, auditMatches, auditMedia, auditPage, auditText } from '../../pipeline/index.ts'
import { mediaReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { auditRow, civilDate, pageQuery, wholeNumber } from '../schemas/common.ts'
import { writePieces } from '../write-pieces.ts'

const filterFields = {
  search: z.string().max(500).optional().meta({
    description: 'Words to find in keys, labels, names of users, rationales, kinds and correlation ids.',
  }),
  component: z.string().optional(),
  actor: z.string().max(200).optional().meta({ description: "Part of a user's key or name." }),
  kind: z.string().optional().meta({ description: 'A kind or part of a kind, such as change_request.' }),
  generation: wholeNumber.optional(),
  since: civilDate.optional().meta({ description: 'The first day, in UTC.' }),
  until: civilDate.optional().meta({ description: 'The last day, in UTC.' }),
}

export const audit = defineRoute({
  method: 'get',
  path: '/metadata/v3/audit',
  name: 'listAudit',
  summary: 'List audit rows, newest first',
  effect: 'reads',
  permission: 'audit.read',
  query: z.strictObject({
    ...filterFields,
    before: z.string().optional().meta({ description: 'The nextCursor of the previous page.' }),
    limit: pageQuery.limit,
  }),
  reply: z.object({ rows: z.array(auditRow), nextCursor: z.string().nullable() }),
  errors: [],
  handle: async ({ services, query: { limit, ...search }, viewer }) => {
    const { rows, next } = await auditPage(services.store, search, viewer, limit)
    return { rows, nextCursor: next }
  },
})

export const auditExport = defineRoute({
  method: 'get',
  path: '/metadata/v3/audit/export',
  name: 'exportAudit',
  summary: 'Export all audit rows that match a filter as CSV or JSON lines',
  effect: 'reads',
  permission: 'audit.read',
  query: z.strictObject({ ...filterFields, format: z.enum(auditFormats).default('csv') }),
  media: Object.values(auditMedia).map((media) => media.split(';')[0]!),
  errors: [],
  handle: ({ services, query: { format, ...search }, viewer }) =>
    mediaReply(auditMedia[format], {
      headers: { 'Content-Disposition': `attachment; filename="audit.${format}"` },
      stream: (response) =>
        writePieces(response, auditText(auditMatches(services.store, search, viewer), format)),
    }),
})
