// What a user sees of a change request. Its list uses the keys of the generation that its author saw; once it is
// applied, those of the generation that it became.
import { combinedSight, type ActorSight } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-request-store.ts'
import type { OrgReader } from '../ports/org-store.ts'

export function requestSight(
  reader: OrgReader,
  { base, generation }: Pick<ChangeRequestRow, 'base' | 'generation'>,
  sight: ActorSight | null,
): ActorSight | null {
  if (sight === null) return null
  if (generation !== null)
    return combinedSight(sight.at(reader, generation), sight.at(reader, generation - 1))
  const written = sight.at(reader, base)
  return written === sight ? sight : combinedSight(sight, written)
}
