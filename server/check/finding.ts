// A finding of a check of an org.
import type { Finding, Severity } from '#kernel/errors/finding.ts'
import type { FindingCode } from '#kernel/errors/finding-codes.ts'

export type IntegrityCode = Extract<FindingCode, `integrity.${string}`>

export function integrityFinding(
  code: IntegrityCode,
  subject: string,
  message: string,
  severity: Severity = 'error',
): Finding {
  return { severity, code, component: subject, path: '', message, related: [] }
}
