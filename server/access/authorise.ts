// Checks each change of a change list, and names the permission that is missing (docs/reference/access.md).
import type { Change } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Denial } from '#wire/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasPermission, type EffectiveAccess } from './effective-access.ts'
import { grantingSets } from './grants.ts'
import { movedRights, type MovedRight } from './moved-rights.ts'
import { setChangesOf, requirementsOf, type Requirement } from './requirements.ts'

/**
 * Changes that the author is not allowed to make; empty if all are allowed. An edit grant applies if the set has it
 * before or after the list: adding one requires access.manage in the same list, so users cannot grant it to themselves.
 */
export function authorise(
  access: EffectiveAccess,
  changes: readonly Change[],
  base: ComponentView | null,
  candidate: ComponentView,
): Denial[] {
  if (access.platformRoot) return []
  const list = setChangesOf(changes)
  const moved = Map.groupBy(movedRights(changes, base, candidate), ({ id }) => id)
  // A change list may contain a hundred thousand entries of one set.
  const cache = new Map<string, boolean>()
  const editable = (set: string): boolean => {
    const held =
      cache.get(set) ??
      [base, candidate].some(
        (view) => view !== null && grantingSets(view, set, 'edit', access.permissionSets).length > 0,
      )
    cache.set(set, held)
    return held
  }
  return changes.flatMap((change) => {
    const lacking = [
      ...requirementsOf(change, list, access.user),
      ...(moved.get(change.id) ?? []).map(requirementOfMoved),
    ]
      .filter(
        (need) => !(need.kind === 'system' ? hasPermission(access, need.permission) : editable(need.set)),
      )
      .map((need) => denialOf(change.id, need, access.user))
    if (lacking.length === 0) return []
    return [...new Map(lacking.map((denial) => [denial.permission, denial])).values()]
  })
}

/** The error for a change list that its author is not allowed to make; `denials` contains at least one change. */
export function accessDenied(denials: readonly Denial[]): AlmanacError {
  const [first] = denials
  const more = denials.length > 1 ? ` ${denials.length - 1} more changes need a permission.` : ''
  return new AlmanacError('access.denied', `${first!.message}${more}`, { details: denials })
}

function requirementOfMoved({ permissionSet, name, target }: MovedRight): Requirement {
  const because = `gives permission_set/${permissionSet} rights to ${target}, because it names ${name}`
  return { kind: 'system', permission: 'access.manage', because }
}

function denialOf(id: ComponentId, need: Requirement, user: string): Denial {
  const permission = need.kind === 'system' ? need.permission : `edit:${need.set}`
  const message =
    need.kind === 'system'
      ? `${user} needs the permission ${need.permission}: the change to ${id} ${need.because}.`
      : `${user} has no edit grant on ${need.set}: the change to ${id} ${need.because}. A user with access.manage can add one of the user's permission sets to "edit" of ${need.set}.`
  return { id, permission, message }
}
