// Who somebody is to change requests: what they may see of them, and whether they may approve.
import type { Person } from '#kernel/requests/index.ts'
import {
  actorSight,
  effectiveAccess,
  holds,
  type ActorSight,
  type By,
  type EffectiveAccess,
} from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

/** @throws AlmanacError user.not_found */
export function accessOf(reader: OrgReader, user: string): EffectiveAccess {
  return effectiveAccess(reader, user, reader.view(reader.activeGeneration()))
}

/** Rights are those of the present. @throws AlmanacError user.not_found */
export function personOf(reader: OrgReader, user: string): Person {
  return { user, approves: holds(accessOf(reader, user), 'deploy.approve') }
}

/** Null for whoever sees everything, the operator of the folder among them. @throws AlmanacError user.not_found */
export function sightOf(reader: OrgReader, by: By): ActorSight | null {
  if (by.operator === true) return null
  const generation = reader.activeGeneration()
  return actorSight(accessOf(reader, by.actor), { generation, view: reader.view(generation) })
}
