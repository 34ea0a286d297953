// The users who wrote a draft, each once, with the operator who acted as them.
import type { Contributor } from '#kernel/requests/index.ts'

export function isSameWriter(one: Contributor, other: Contributor): boolean {
  return one.user === other.user && one.operator === other.operator
}

/** In the order of their first save. */
export function addWriter(writers: readonly Contributor[], writer: Contributor): readonly Contributor[] {
  return writers.some((each) => isSameWriter(each, writer)) ? writers : [...writers, writer]
}
