// What is restored extends a flag with the rationale that was given for it (completions 4: flag lifecycle).
import type { CandidateComponent } from '#kernel/change/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { compareDates } from '#kernel/dates/civil-date.ts'

/** The components, in which every flag that expires later than in the base carries `rationale`. */
export function withOwnRationale(
  components: readonly CandidateComponent[],
  base: ComponentView,
  rationale: string,
): CandidateComponent[] {
  const words = rationale.trim()
  if (words === '') return [...components]
  return components.map((each) => {
    const { component, hints } = each
    if (component.type !== 'feature_flag') return each
    const before = base.get('feature_flag', hints.renamedFrom ?? component.key)
    if (before === undefined || compareDates(component.body.expiresOn, before.body.expiresOn) <= 0)
      return each
    return { component: { ...component, body: { ...component.body, rationale: words } }, hints }
  })
}
