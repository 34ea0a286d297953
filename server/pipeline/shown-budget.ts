// Bytes of slices as a viewer is told of them. The exact number would give away how long a hidden value is, so that it is for
// those who see everything; others are told whole mebibytes.
import type { Budget } from '#kernel/change/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { ActorSight } from '../access/index.ts'

const mebibyte = 1024 * 1024

/** @param bytes rounded away from zero unless `sight` is null */
export function shownBytes(bytes: number, sight: ActorSight | null): number {
  if (sight === null) return bytes
  return Math.sign(bytes) * Math.ceil(Math.abs(bytes) / mebibyte) * mebibyte
}

/** @param seesAll whether the viewer is shown every change of the list, so that what they add is no secret */
export function shownBudget(budget: Budget, sight: ActorSight | null, seesAll: boolean): Budget {
  if (sight === null) return budget
  const { limit } = budget
  const used = shownBytes(budget.used, sight)
  // Towards zero, so that the sign does not tell whether a hidden value became longer or shorter.
  const added = seesAll ? budget.added : Math.trunc(budget.added / mebibyte) * mebibyte
  const left = limit - used - added
  // Rounding does not make a list too large that is not.
  return { used, added, limit, left: budget.left >= 0 ? Math.max(0, left) : left }
}

/** Whether no set or flag of the view is hidden from the viewer. */
export function seesOrg(sight: ActorSight | null, view: ComponentView): boolean {
  if (sight === null) return true
  for (const type of ['config_set', 'feature_flag'] as const)
    for (const { key } of view.list(type)) if (!sight.visibility.values(key)) return false
  return true
}
