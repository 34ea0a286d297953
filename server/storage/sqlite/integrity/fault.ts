// A fault of stored data as a finding.
import type { Finding } from '#kernel/errors/finding.ts'
import type { FindingCode } from '#kernel/errors/finding-codes.ts'

/** `subject`: the row, as in `audit/12` or `config_entry/fee.a`. */
export function fault(code: FindingCode, subject: string, message: string): Finding {
  return { severity: 'error', code, component: subject, path: '', message, related: [] }
}
