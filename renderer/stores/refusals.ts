// Why a change list cannot be applied, as sentences.
import type { PlanAnswer } from '../api/wire.ts'

interface ChangeListCheck {
  /** How many changes are included. */
  selectedCount: number
  errors: number
  denials: PlanAnswer['denials']
}

/** Empty if it can be applied. */
export function refusalsOf({ selectedCount, errors, denials }: ChangeListCheck): string[] {
  const reasons: string[] = []
  if (selectedCount === 0) reasons.push('No change is ticked.')
  if (errors === 1) reasons.push('One error blocks this; it is shown next to its change.')
  if (errors > 1) reasons.push(`${errors} errors block this; each is shown next to its change.`)
  for (const [permission, lacking] of Map.groupBy(denials, (denial) => denial.permission))
    reasons.push(`You lack ${permission}, which ${lacking.length} of these changes need.`)
  return reasons
}
