// What a generation row reveals of its changes. The rationale may name them, so it is shown to users who see a part of
// them, and to auditors; small values can be guessed from the digest, so it is shown to users who see all of them.
import { holds, type ActorSight, type EffectiveAccess } from '../access/index.ts'
import type { GenerationRow, OrgReader } from '../ports/org-store.ts'
import { allChangesSeen } from './changes-seen.ts'
import { shownBytes } from './shown-budget.ts'

export interface GenerationViewer {
  access: EffectiveAccess
  /** Null for a viewer who sees everything. */
  sight: ActorSight | null
}

export function shownGeneration(
  reader: OrgReader,
  row: GenerationRow,
  viewer: GenerationViewer,
): GenerationRow {
  return shownGenerations(reader, [row], viewer)[0]!
}

/** Thousands of them are checked in one call. */
export function shownGenerations(
  reader: OrgReader,
  rows: readonly GenerationRow[],
  { access, sight }: GenerationViewer,
): GenerationRow[] {
  if (sight === null) return [...rows]
  const numbers = rows.map(({ generation }) => generation)
  const all = allChangesSeen(reader, numbers, sight)
  return rows.map((row) => {
    const seen = all.get(row.generation)!
    // The author already has the digest from the plan.
    const changeDigest = seen === 'all' || row.actor === access.user ? row.changeDigest : null
    const rationale = seen !== 'none' || holds(access, 'audit.read') ? row.rationale : ''
    return { ...row, changeDigest, rationale, sliceBytes: shownBytes(row.sliceBytes, sight) }
  })
}
