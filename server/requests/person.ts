// A user in terms of change requests: what they can see of them, and whether they can approve.
import type { Person } from '#kernel/requests/index.ts'
import {
  viewerFor,
  effectiveAccess,
  hasPermission,
  type Viewer,
  type Actor,
  type EffectiveAccess,
} from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

/** @throws AlmanacError user.not_found */
export function accessOf(reader: Pick<OrgReader, 'generations' | 'people'>, user: string): EffectiveAccess {
  return effectiveAccess(reader, user, reader.generations.view(reader.generations.active()))
}

/** Uses the user's current rights. @throws AlmanacError user.not_found */
export function personOf(reader: Pick<OrgReader, 'generations' | 'people'>, user: string): Person {
  return { user, canApprove: hasPermission(accessOf(reader, user), 'deploy.approve') }
}

/** Null for a user who sees everything, including the operator of the folder. @throws AlmanacError user.not_found */
export function viewerOf(reader: Pick<OrgReader, 'generations' | 'people'>, by: Actor): Viewer | null {
  if (by.isOperator === true) return null
  const generation = reader.generations.active()
  return viewerFor(accessOf(reader, by.actor), { generation, view: reader.generations.view(generation) })
}
