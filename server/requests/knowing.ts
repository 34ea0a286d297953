// Who may know of a change request: whoever may see a part of what it is about (specification 5.5).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ActorSight, By } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-request-store.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { personOf, sightOf } from './person.ts'

export interface Known {
  row: ChangeRequestRow
  sight: ActorSight | null
}

/** @throws AlmanacError change_request.not_found, alike for one that is hidden and for one that is not there */
export function knownRequest(reader: OrgReader, by: By, id: string): Known {
  const row = reader.changeRequest(id)
  const sight = sightOf(reader, by)
  if (row === undefined || !mayKnow(reader, sight)(row)) throw noRequest(id)
  return { row, sight }
}

/** Whoever approves knows of every request, with what they may not see left out. */
export function mayKnow(reader: OrgReader, sight: ActorSight | null): (row: ChangeRequestRow) => boolean {
  if (sight === null || personOf(reader, sight.user).approves) return () => true
  const view = reader.view(reader.activeGeneration())
  // As with drafts: what a list adds is not hidden by a set that is not there yet.
  const shown = (set: string): boolean =>
    sight.visibility.definition(set) || !(view.has('config_set', set) || view.has('feature_flag', set))
  return ({ author, touches }) => author === sight.user || touches.others || touches.sets.some(shown)
}

export function noRequest(id: string): AlmanacError {
  return new AlmanacError('change_request.not_found', `There is no change request ${id}.`)
}
