// The limit of findings about one component: a text of a million wrong properties would otherwise give a million of
// them, which take gigabytes and which nobody reads.
import type { Finding } from '../errors/finding.ts'

/** How many findings of one component are listed. */
export const mostFindings = 200

/** Returns the first findings, and one that reports that there are more. `component` is its id or its place. */
export function limitFindings(findings: readonly Finding[], component: string): Finding[] {
  if (findings.length <= mostFindings) return [...findings]
  const message = `Only the first ${mostFindings} problems of ${component} are listed. Fix them, then check again.`
  const more: Finding = {
    severity: 'error',
    code: 'component.more_findings',
    component,
    path: '',
    message,
    related: [],
  }
  return [...findings.slice(0, mostFindings), more]
}
