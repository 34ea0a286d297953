// What a generation row gives away of what it changed. Its rationale may name it, so it is shown to those who see a part of
// that, and to auditors; small values can be guessed from its digest, so that is shown to those who see all of it.
import { holds, type ActorSight, type EffectiveAccess } from '../access/index.ts'
import type { GenerationRow, OrgReader } from '../ports/org-store.ts'
import { changesSeen } from './changes-seen.ts'

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
