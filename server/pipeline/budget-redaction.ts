// Bytes of slices as shown to a viewer. The exact number would reveal the length of a hidden value, so only users who
// see everything get it; others get whole mebibytes.
import type { Budget } from '#kernel/change/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Viewer } from '../access/index.ts'

const mebibyte = 1024 * 1024

/** @param bytes the exact number, which is rounded away from zero unless `viewer` is null */
export function redactBytes(bytes: number, viewer: Viewer | null): number {
  if (viewer === null) return bytes
  return Math.sign(bytes) * Math.ceil(Math.abs(bytes) / mebibyte) * mebibyte
}

/** @param seesAll whether the viewer is shown every change of the list, so that the added bytes reveal nothing */
export function redactBudget(budget: Budget, viewer: Viewer | null, seesAll: boolean): Budget {
  if (viewer === null) return budget
  const { limit } = budget
  const used = redactBytes(budget.used, viewer)
  // Rounded towards zero, so that the sign does not reveal whether a hidden value became longer or shorter.
  const added = seesAll ? budget.added : Math.trunc(budget.added / mebibyte) * mebibyte
  const left = limit - used - added
  // Rounding must not make an allowed list look too large.
  return { used, added, limit, left: budget.left >= 0 ? Math.max(0, left) : left }
}

/** Whether no set or flag of the view is hidden from the viewer. */
export function canSeeWholeOrg(viewer: Viewer | null, view: ComponentView): boolean {
  if (viewer === null) return true
  for (const type of ['config_set', 'feature_flag'] as const)
    for (const { key } of view.list(type)) if (!viewer.visibility.canSeeValues(key)) return false
  return true
}
