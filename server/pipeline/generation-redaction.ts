// What a generation row reveals of its changes. The rationale may name them, so it is shown to users who see a part of
// them, and to auditors; small values can be guessed from the digest, so it is shown to users who see all of them.
import { hasPermission, type Viewer, type EffectiveAccess } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { GenerationRow } from '#wire/index.ts'
import { changesVisibilityOf } from './changes-visibility.ts'
import { redactBytes } from './budget-redaction.ts'

export interface GenerationViewer {
  access: EffectiveAccess
  /** Null for a viewer who sees everything. */
  viewer: Viewer | null
}

export function redactGeneration(
  reader: OrgReader,
  row: GenerationRow,
  viewer: GenerationViewer,
): GenerationRow {
  return redactGenerations(reader, [row], viewer)[0]!
}

/** Thousands of them are checked in one call. */
export function redactGenerations(
  reader: OrgReader,
  rows: readonly GenerationRow[],
  { access, viewer }: GenerationViewer,
): GenerationRow[] {
  if (viewer === null) return [...rows]
  const numbers = rows.map(({ generation }) => generation)
  const all = changesVisibilityOf(reader, numbers, viewer)
  return rows.map((row) => {
    const seen = all.get(row.generation)!
    // The author already has the digest from the plan.
    const changeDigest = seen === 'all' || row.actor === access.user ? row.changeDigest : null
    const rationale = seen !== 'none' || hasPermission(access, 'audit.read') ? row.rationale : ''
    return { ...row, changeDigest, rationale, sliceBytes: redactBytes(row.sliceBytes, viewer) }
  })
}
