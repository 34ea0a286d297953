// What a generation row gives away of what it changed. Its rationale may name it, so it is shown to those who see a part of
// that, and to auditors; small values can be guessed from its digest, so that is shown to those who see all of it.
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

/** Thousands of them are judged at once. */
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
    // Its author had the digest from the plan.
    const changeDigest = seen === 'all' || row.actor === access.user ? row.changeDigest : null
    const rationale = seen !== 'none' || holds(access, 'audit.read') ? row.rationale : ''
    return { ...row, changeDigest, rationale, sliceBytes: shownBytes(row.sliceBytes, sight) }
  })
}
