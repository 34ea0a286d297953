// What a generation row gives away of what it changed. Its rationale may name it, so it is shown to those who see a part of
// that, and to auditors; small values can be guessed from its digest, so that is shown to those who see all of it.
import { holds, type ActorSight, type EffectiveAccess } from '../access/index.ts'
import type { GenerationRow, OrgReader } from '../ports/org-store.ts'
import { idHidden, idShown } from './shown.ts'

export interface GenerationViewer {
  access: EffectiveAccess
  /** Null for a viewer who sees everything. */
  sight: ActorSight | null
}

export function shownGeneration(
  reader: OrgReader,
  row: GenerationRow,
  { access, sight }: GenerationViewer,
): GenerationRow {
  if (sight === null) return row
  const seen = changesSeen(reader, row.generation, sight)
  // Its author had the digest from the plan.
  const changeDigest = seen === 'all' || row.actor === access.user ? row.changeDigest : null
  const rationale = seen !== 'none' || holds(access, 'audit.read') ? row.rationale : ''
  return { ...row, changeDigest, rationale }
}

/** How much a viewer sees of what a generation changed: of what it was, under the keys of that time, and what it became. */
function changesSeen(reader: OrgReader, generation: number, sight: ActorSight): 'all' | 'part' | 'none' {
  const sides = [sight.at(reader, generation - 1), sight.at(reader, generation)]
  const definitions = reader.changedApartFromEntries(generation)
  const sets = reader.setsChanged(generation - 1, generation)
  const isPart =
    definitions.some((id) => sides.some((side) => idShown(id, side))) ||
    sets.some((set) => sides.some(({ visibility }) => visibility.values(set)))
  if (!isPart) return 'none'
  const isHidden =
    definitions.some((id) => sides.some((side) => idHidden(id, side))) ||
    sets.some((set) => sides.some((side) => side.has(set) && !side.visibility.values(set)))
  return isHidden ? 'part' : 'all'
}
