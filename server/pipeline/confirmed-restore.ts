// Older content has no hints of its own, so its author confirms by id what a component loses.
import type { CandidateComponent } from '#kernel/change/index.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'

/** Returns the components, with `"breaking": true` on those that `breaking` names. */
export function withConfirmation(
  components: readonly CandidateComponent[],
  breaking: readonly ComponentId[] = [],
): CandidateComponent[] {
  if (breaking.length === 0) return [...components]
  const confirmed = new Set(breaking)
  return components.map((each) =>
    confirmed.has(idOf(each.component)) ? { ...each, hints: { ...each.hints, breaking: true } } : each,
  )
}
