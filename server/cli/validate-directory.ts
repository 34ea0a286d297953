// Validates a directory on its own, before there is an org.
import { buildCandidate } from '#kernel/change/candidate.ts'
import { validateCandidate } from '#kernel/change/validate.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { componentText, locateFindings, readDirectory } from '../pipeline/index.ts'
import { systemClock } from '../system/index.ts'

/** Users and groups are run-time state that a directory does not contain, so each of them counts as known. */
export function validateDirectory(dir: string): Finding[] {
  const { components, findings, invalidComponents } = readDirectory(dir)
  const candidate = buildCandidate(null, { components })
  const principals = {
    user: () => 'live' as const,
    group: () => 'live' as const,
    userKeys: () => [],
    groupKeys: () => [],
  }
  const judged = validateCandidate(candidate, null, {
    today: parseCivilDate(systemClock.today())!,
    principals,
    invalidComponents,
  })
  return [...findings, ...locateFindings(judged.findings, (id) => componentText(dir, id))]
}
