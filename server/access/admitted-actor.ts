// The actor of an admitted request, with the access that was computed when it arrived.
import type { ComponentView } from '#kernel/components/view.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { Actor } from './actor.ts'
import { effectiveAccess, type EffectiveAccess } from './effective-access.ts'

interface AdmittedAccess {
  access: EffectiveAccess
  view: ComponentView
}

/** Keyed by the actor object, so that access is never stored, copied or sent to a worker with its actor. */
const admitted = new WeakMap<Actor, AdmittedAccess>()

/** Returns the actor for a read: the user whose access applies. @param view the generation of the request */
export function admitActor(by: Actor, access: EffectiveAccess, view: ComponentView): Actor {
  const actor: Actor = { ...by, actor: access.user }
  admitted.set(actor, { access, view })
  return actor
}

/**
 * The access of an actor over a generation; that of the request is used again if it applies. @throws AlmanacError
 * user.not_found
 */
export function accessOfActor(
  store: Pick<OrgStore, 'read'>,
  by: Actor,
  view: ComponentView,
): EffectiveAccess {
  const known = admitted.get(by)
  // A generation that was activated since can grant less.
  if (known?.view === view) return known.access
  return store.read((reader) => effectiveAccess(reader, by.actor, view))
}
