// The filter of the audit in its URL, and why one of its fields cannot be searched for.
import { dayFault } from '../../text/words.ts'

export const auditFields = ['search', 'actor', 'kind', 'since', 'until', 'generation', 'component'] as const

export type AuditFields = Record<(typeof auditFields)[number], string>

/** Returns every field; fields that the URL does not name are empty. */
export function filterOf(query: Readonly<Record<string, unknown>>): AuditFields {
  return Object.fromEntries(auditFields.map((name) => [name, String(query[name] ?? '')])) as AuditFields
}

/** The fields that are not empty. */
export function queryOf(fields: AuditFields): Partial<AuditFields> {
  return Object.fromEntries(
    auditFields.flatMap((name) => (fields[name].trim() === '' ? [] : [[name, fields[name].trim()]])),
  )
}

export type AuditFaults = Record<'since' | 'until' | 'generation', string | null>

export function filterFaults({ since, until, generation }: AuditFields): AuditFaults {
  const days = { since: since === '' ? null : dayFault(since), until: until === '' ? null : dayFault(until) }
  const isBackward =
    days.since === null && days.until === null && since !== '' && until !== '' && since > until
  return {
    ...days,
    ...(isBackward ? { until: 'From is after To. Enter an earlier From or a later To.' } : {}),
    generation: /^\d{0,15}$/.test(generation) ? null : 'Generation is not a number. Enter one, such as 7.',
  }
}
