// Exports a review: the plan and the impact of a change list as one HTML file.
import { reviewedChangesOf } from './reviewed-changes.ts'
import { reviewDocument } from '#kernel/review/index.ts'
import { impactOf } from '../impact/index.ts'
import {
  narrowView,
  viewerAt,
  type ApplyRequest,
  type JobRunner,
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
export async function exportReview(
  deps: PipelineDeps,
  jobs: Pick<JobRunner, 'plan'>,
  memory: PipelineCache,
  { list, most, keys, results }: ReviewRequest,
): Promise<string> {
  const plan = await jobs.plan(list)
  const impact = impactOf(deps, memory, {
    list,
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
