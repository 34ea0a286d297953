// Exports a review: the plan and the impact of a change list as one HTML file.
import { reviewedChangesOf } from './reviewed-changes.ts'
import { reviewDocument } from '#kernel/review/index.ts'
import { impactOfPrepared } from '../impact/index.ts'
import {
  narrowView,
  outcomeOf,
  prepareChanges,
  viewerAt,
  type ApplyRequest,
  type PipelineCache,
  type PipelineDeps,
} from '../pipeline/index.ts'

export interface ReviewRequest {
  list: ApplyRequest
  /** Maximum number of findings, and of items in each list of the impact; all changes are included. */
  most: number
  keys: number
  results: number
}

/** @throws AlmanacError of the source, conflict.stale_generation */
export function exportReview(
  deps: PipelineDeps,
  memory: PipelineCache,
  { list, most, keys, results }: ReviewRequest,
): string {
  // Prepared once, so that both describe the same state.
  const prepared = deps.store.read((reader) => prepareChanges(deps, reader, memory, list))
  const plan = outcomeOf(prepared, 0)
  const impact = impactOfPrepared(deps, prepared, {
    most,
    keys: { from: 0, count: keys },
    results: { look: results },
  })
  const { org, author, base } = deps.store.read((reader) => {
    const reading = list.viewerKey === undefined ? list.actor : list.viewerKey
    const viewer = list.isOperator === true || reading === null ? null : deps.access.viewer(reader, reading)
    return {
      org: reader.properties.get(),
      author: reader.people.user(list.actor)?.name ?? list.actor,
      // Labels also come only from what is shown.
      base: narrowView(reader.generations.view(plan.base), viewerAt(reader, viewer, plan.base)),
    }
  })
  return reviewDocument({
    org,
    base: plan.base,
    changeDigest: plan.changeDigest,
    author: author === list.actor ? author : `${author} (${list.actor})`,
    at: deps.clock.now(),
    rationale: list.rationale ?? '',
    counts: plan.counts,
    changes: reviewedChangesOf(plan.changes, base),
    findings: plan.findings.slice(0, most),
    findingsTotal: plan.findingsTotal,
    impact,
    budget: plan.budget,
  })
}
