// The filter of the audit as its address has it.

export const auditFields = ['search', 'actor', 'kind', 'since', 'until', 'generation', 'component'] as const

export type AuditFields = Record<(typeof auditFields)[number], string>

/** Every field; one that the address does not name is empty. */
export function filterOf(query: Readonly<Record<string, unknown>>): AuditFields {
  return Object.fromEntries(auditFields.map((name) => [name, String(query[name] ?? '')])) as AuditFields
}

/** The fields that say something. */
export function queryOf(fields: AuditFields): Partial<AuditFields> {
  return Object.fromEntries(
    auditFields.flatMap((name) => (fields[name].trim() === '' ? [] : [[name, fields[name].trim()]])),
  )
}
