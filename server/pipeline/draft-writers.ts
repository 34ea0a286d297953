// The users who wrote a draft, each once, with the operator who acted as them.
import type { Writer } from '#kernel/requests/index.ts'

export function sameWriter(one: Writer, other: Writer): boolean {
  return one.user === other.user && one.operator === other.operator
}

/** In the order of their first save. */
export function withWriter(writers: readonly Writer[], writer: Writer): readonly Writer[] {
  return writers.some((each) => sameWriter(each, writer)) ? writers : [...writers, writer]
}
