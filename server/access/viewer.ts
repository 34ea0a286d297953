// What the author of a change list sees of the components that it touches, so that all access paths show the same
// (docs/reference/access.md).
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { hasPermission, type EffectiveAccess } from './effective-access.ts'
import { setOrFlag } from './grants.ts'
import { PastVisibility, type PastReader, type PresentGeneration } from './past-visibility.ts'
import { visibilityIn, type Visibility } from './visibility.ts'
import { visibleView } from './visible-view.ts'

/** What one user can see over one generation. Ids and keys are those of that generation. */
export interface Viewer {
  user: string
  visibility: Visibility
  /** Whether every definition is shown to this user: a set that is not shown then does not exist. */
  canSeeAllDefinitions: boolean
  /** Whether the generation has a set or flag, visible or not. */
  has(set: string): boolean
  /** A view of the generation without what this user cannot see. */
  narrow(view: ComponentView): ComponentView
  /** The same user over another generation, with today's access. Access to all past content is decided by this. */
  at(reader: PastReader, generation: number): Viewer
  /** Whether a set or flag with this content would open itself to this user, who can grant that. */
  canOpen(component: Component): boolean
}

/** What one user can see over the active generation; null for platform.root, who sees everything. */
export function viewerFor(access: EffectiveAccess, active: PresentGeneration): Viewer | null {
  if (access.platformRoot) return null
  const visibility = visibilityIn(access, active.view)
  const past = new PastVisibility(access, active, visibility)
  const grants = hasPermission(access, 'access.manage')
  const own = {
    user: access.user,
    canSeeAllDefinitions: grants || hasPermission(access, 'metadata.author'),
    canOpen: (component: Component): boolean => {
      if (!grants || (component.type !== 'config_set' && component.type !== 'feature_flag')) return false
      const { read, edit } = component.body
      return access.permissionSets.some((key) => Object.hasOwn(read, key) || Object.hasOwn(edit, key))
    },
  }
  const at = (reader: PastReader, generation: number): Viewer => {
    if (generation === active.generation) return viewer
    const then = past.at(reader, generation)
    return { ...own, at, visibility: then, has: then.has, narrow: (view) => visibleView(view, then) }
  }
  const viewer: Viewer = {
    ...own,
    at,
    visibility,
    has: (set) => setOrFlag(active.view, set) !== undefined,
    narrow: (view) => visibleView(view, visibility),
  }
  return viewer
}
