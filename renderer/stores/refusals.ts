// Why a change list cannot go, as sentences (studio: "Review").
import type { PlanAnswer } from '../api/wire.ts'

interface Judged {
  /** How many changes go. */
  going: number
  errors: number
  denials: PlanAnswer['denials']
}

/** Empty where it can. */
export function refusalsOf({ going, errors, denials }: Judged): string[] {
  const reasons: string[] = []
  if (going === 0) reasons.push('No change is ticked.')
  if (errors === 1) reasons.push('One error blocks this; it is shown beside its change.')
  if (errors > 1) reasons.push(`${errors} errors block this; each is shown beside its change.`)
  for (const [permission, lacking] of Map.groupBy(denials, (denial) => denial.permission))
    reasons.push(`You lack ${permission}, which ${lacking.length} of these changes ask for.`)
  return reasons
}
