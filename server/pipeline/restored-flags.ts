// Restored content extends a flag with the rationale that was given for the restore
// (docs/reference/pipeline-and-approvals.md).
import type { CandidateComponent } from '#kernel/change/index.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { compareDates } from '#kernel/dates/civil-date.ts'

export interface RestoreBase {
  base: ComponentView
  /** The ids that components of the restored generation have in the base, as `movedBetween` returns them. */
  movedIds?: ReadonlyMap<ComponentId, ComponentId | null>
}

/** Returns the components, with `rationale` on every flag that expires later than in the base. */
export function withRationale(
  components: readonly CandidateComponent[],
  { base, movedIds }: RestoreBase,
  rationale: string,
): CandidateComponent[] {
  const words = rationale.trim()
  if (words === '') return [...components]
  return components.map((each) => {
    const { component, hints } = each
    if (component.type !== 'feature_flag') return each
    const movedId = movedIds?.get(idOf(component))
    if (movedId === null) return each
    const key = movedId === undefined ? component.key : splitId(movedId).key
    const before = base.get('feature_flag', hints.renamedFrom ?? key)
    if (before === undefined || compareDates(component.body.expiresOn, before.body.expiresOn) <= 0)
      return each
    return { component: { ...component, body: { ...component.body, rationale: words } }, hints }
  })
}
