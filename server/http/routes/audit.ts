// The audit, newest first (completions 4; HTTP surface).
import { z } from 'zod'
import { isComponentType, splitId } from '#kernel/components/component.ts'
import type { AuditRow } from '../../ports/org-store.ts'
import { holds, type EffectiveAccess, type Visibility } from '../../access/index.ts'
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
  handle: ({ services, query, access, visibility }) =>
    services.store.read((reader) => {
      const rows = reader.audit(query)
      const nextCursor = rows.length === query.limit ? (rows.at(-1)?.id ?? null) : null
      return { rows: rows.map((row) => shownRow(row, access, visibility)), nextCursor }
    }),
})

/** The fact of a change is the auditor's to read; values of a set that hides them are not. */
export function shownRow(row: AuditRow, access: EffectiveAccess, visibility: Visibility): AuditRow {
  if (holds(access, 'platform.root')) return row
  const slash = row.component.indexOf('/')
  if (slash < 1 || !isComponentType(row.component.slice(0, slash))) return row
  const { type, key } = splitId(row.component)
  const hidden = type === 'config_entry' && !visibility.values(key.split('.')[0]!)
  return hidden ? { ...row, before: null, after: null } : row
}
