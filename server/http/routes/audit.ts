// The audit, newest first (completions 4; HTTP surface).
import { z } from 'zod'
import { shownAuditRow } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'
import { auditRow, pageQuery, wholeNumber } from '../schemas/common.ts'

const { limit } = pageQuery

export const audit = defineRoute({
  method: 'get',
  path: '/metadata/v3/audit',
  name: 'listAudit',
  summary: 'Audit rows, newest first',
  effect: 'reads',
  permission: 'audit.read',
  query: z.strictObject({
    component: z.string().optional(),
    actor: z.string().optional(),
    kind: z.string().optional(),
    generation: wholeNumber.optional(),
    before: z.string().optional().meta({ description: 'The nextCursor of the page before.' }),
    limit,
  }),
  reply: z.object({ rows: z.array(auditRow), nextCursor: z.string().nullable() }),
  errors: [],
  handle: ({ services, query, sight }) =>
    services.store.read((reader) => {
      const rows = reader.audit(query)
      const nextCursor = rows.length === query.limit ? (rows.at(-1)?.id ?? null) : null
      return { rows: rows.map((row) => shownAuditRow(row, sight)), nextCursor }
    }),
})
