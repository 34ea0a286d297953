// Who may know of a change request: whoever may see a part of what it is about (specification 5.5).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ActorSight, By } from '../access/index.ts'
import { requestSight } from '../pipeline/index.ts'
import type { ChangeRequestRow } from '../ports/change-request-store.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { personOf, sightOf } from './person.ts'

export interface Known {
  row: ChangeRequestRow
  /** Over what the request is about. */
  sight: ActorSight | null
}

/** @throws AlmanacError change_request.not_found, alike for one that is hidden and for one that is not there */
export function knownRequest(reader: OrgReader, by: By, id: string): Known {
  const row = reader.changeRequest(id)
  const sight = sightOf(reader, by)
  if (row === undefined || !mayKnow(reader, sight)(row)) throw noRequest(id)
  return { row, sight: requestSight(reader, row, sight) }
}

/** Whoever approves knows of every request, with what they may not see left out. */
export function mayKnow(reader: OrgReader, sight: ActorSight | null): (row: ChangeRequestRow) => boolean {
  if (sight === null || personOf(reader, sight.user).approves) return () => true
  return (row) => {
    const { author, touches, generation } = row
    if (author === sight.user || touches.others) return true
    const { visibility, has } = requestSight(reader, row, sight)!
    // As with drafts: what a list adds is not hidden by a set that is not there yet.
    return touches.sets.some((set) => visibility.definition(set) || (generation === null && !has(set)))
  }
}

export function noRequest(id: string): AlmanacError {
  return new AlmanacError('change_request.not_found', `There is no change request ${id}.`)
}
