// What the pipeline caches between jobs, so that repeating a job costs only what has changed since the last time.
import type { Candidate, CandidateComponent, CandidateInput } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { GraphCache } from './org-graph.ts'

export class PipelineCache {
  readonly graphs = new GraphCache()
  readonly candidates = new CandidateCache()
}

interface ChangeListInput extends CandidateInput {
  components: readonly CandidateComponent[]
  removals: readonly ComponentId[]
}

/** Above this number of given components, a candidate is not cached, because it would take about 100 MB. */
const maxGraphComponents = 30_000

/**
 * The candidate of the drafts that were requested last. Showing a list of drafts uses it twice: for its descriptions,
 * and to check it.
 */
export class CandidateCache {
  #known: { base: number; list: ChangeListInput; candidate: Candidate } | null = null

  /**
   * Returns the cached candidate if `list` contains the same components that it was built from; otherwise a new one.
   */
  getOrBuild(base: number, list: ChangeListInput, build: () => Candidate): Candidate {
    const known = this.#known
    if (known?.base === base && isSame(known.list, list)) return known.candidate
    this.#known = null
    const candidate = build()
    if (list.components.length + list.removals.length <= maxGraphComponents)
      this.#known = { base, list, candidate }
    return candidate
  }
}

function isSame(one: ChangeListInput, other: ChangeListInput): boolean {
  return (
    one.prune === other.prune &&
    isSameList(one.components, other.components) &&
    isSameList(one.removals, other.removals)
  )
}

const isSameList = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at])
