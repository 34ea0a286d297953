// The rationale of a generation may name what it changed, so it is shown to those who see a part of that, and to auditors.
import { holds, type ActorSight, type EffectiveAccess } from '../access/index.ts'
import type { GenerationRow, OrgReader } from '../ports/org-store.ts'
import { idShown } from './shown.ts'

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
  if (row.rationale === '' || sight === null || holds(access, 'audit.read')) return row
  const { generation } = row
  const isShown =
    reader.changedApartFromEntries(generation).some((id) => idShown(id, sight)) ||
    reader.setsChanged(generation - 1, generation).some((set) => sight.visibility.values(set))
  return isShown ? row : { ...row, rationale: '' }
}
