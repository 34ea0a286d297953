// A set is invisible until granted: for a user who does not see it, it does not exist (docs/reference/access.md).
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasPermission, type EffectiveAccess } from './effective-access.ts'
import { grantingSets } from './grants.ts'

export interface Visibility {
  /** Whether the definition of a set or flag is shown: to its readers, and to users who can define or grant. */
  canSeeDefinition(set: string): boolean
  /** Whether its values are shown outside of logic. */
  canSeeValues(set: string): boolean
  /** Whether a component is shown: an entry with the values of its set, other types to all users. */
  canSeeComponent(component: Component): boolean
}

/** What a user sees of the sets and flags of a view, by the grants in it. */
export function visibilityIn(access: EffectiveAccess, view: ComponentView): Visibility {
  return visibilityOf(
    access,
    (set) =>
      grantingSets(view, set, 'read', access.permissionSets).length > 0 ||
      grantingSets(view, set, 'edit', access.permissionSets).length > 0,
  )
}

/** @param grants whether the user has a grant on a set or flag */
export function visibilityOf(access: EffectiveAccess, grants: (set: string) => boolean): Visibility {
  const shapes = hasPermission(access, 'metadata.author') || hasPermission(access, 'access.manage')
  const cache = new Map<string, boolean>()
  const values = (set: string): boolean => {
    let granted = cache.get(set)
    // Called for each of thousands of entries.
    if (granted === undefined) cache.set(set, (granted = access.platformRoot || grants(set)))
    return granted
  }
  return createVisibility(values, (set) => shapes || values(set))
}

/** @param definition if omitted, a definition is shown with its values */
export function createVisibility(
  values: (set: string) => boolean,
  definition: (set: string) => boolean = values,
): Visibility {
  return {
    canSeeDefinition: definition,
    canSeeValues: values,
    canSeeComponent: (component) => {
      if (component.type === 'config_entry') return values(component.body.set)
      return component.type === 'config_set' || component.type === 'feature_flag'
        ? definition(component.key)
        : true
    },
  }
}

/**
 * Refuses the values of a set that a user cannot read.
 * @throws AlmanacError `config.unknown_set` if the set is invisible to them, exactly as for one that does not exist;
 * `access.denied` if they see its definition.
 */
export function requireVisibleValues(visibility: Visibility, set: string, user: string): void {
  if (visibility.canSeeValues(set)) return
  if (!visibility.canSeeDefinition(set))
    throw new AlmanacError('config.unknown_set', `The configuration set or flag "${set}" does not exist.`)
  throw new AlmanacError(
    'access.denied',
    `${user} can see the definition of ${set} but not its values. A user with access.manage can add one of the user's permission sets to "read" of ${set}.`,
    { details: [{ id: set, permission: `read:${set}` }] },
  )
}
