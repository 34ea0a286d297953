// What of a change list's ground its author sees, for the pipeline, so that every door tells the same (specification 5.5).
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { holds, type EffectiveAccess } from './effective-access.ts'
import { visibleSets, type Visibility } from './visibility.ts'
import { visibleView } from './visible-view.ts'

export interface ActorSight {
  user: string
  visibility: Visibility
  /** Whether every definition is shown to this person: a set that is not shown is then not there. */
  shapes: boolean
  /** A view without what this person may not see. */
  narrowed(view: ComponentView): ComponentView
  /** An older generation, by what this person may see today. */
  past(view: ComponentView): ComponentView
  /** Whether a set or flag as it is given would open itself to this person, who may grant that. */
  opens(component: Component): boolean
}

/** The sight of one person over the active generation; null for platform.root, who sees everything. */
export function actorSight(access: EffectiveAccess, active: ComponentView): ActorSight | null {
  if (access.platformRoot) return null
  const visibility = visibleSets(access, active)
  const grants = holds(access, 'access.manage')
  return {
    user: access.user,
    visibility,
    shapes: grants || holds(access, 'metadata.author'),
    narrowed: (view) => visibleView(view, visibility),
    past: (view) => visibleView(view, visibleSets(access, view, active)),
    opens: (component) => {
      if (!grants || (component.type !== 'config_set' && component.type !== 'feature_flag')) return false
      const { read, edit } = component.body
      return access.permissionSets.some((key) => Object.hasOwn(read, key) || Object.hasOwn(edit, key))
    },
  }
}
