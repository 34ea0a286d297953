// Saves a change list that waits: it is checked like any other, and stored instead of applied
// (docs/reference/pipeline-and-approvals.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { deployError, requireReviewedDigest } from './stages/index.ts'
import type { PipelineCache } from './pipeline-cache.ts'
import { outcomeOf, countsForAudience } from './outcome.ts'
import type { PipelineDeps } from './deps.ts'
import { prepareChanges } from './prepare.ts'
import type { ApplyRequest, PlanOutcome, ChangeRequestTerms } from './request.ts'

/**
 * Findings and missing permissions do not prevent saving: they are reported, and an apply checks again. Unreadable
 * content does, because it cannot be approved.
 * @throws AlmanacError deploy.invalid, request.invalid, conflict.stale_plan, conflict.stale_generation, those of the
 * source and of the gate.
 */
export function submitChangeRequest(
  deps: PipelineDeps,
  cache: PipelineCache,
  request: ApplyRequest,
  terms: ChangeRequestTerms,
): PlanOutcome {
  const started = performance.now()
  const prepared = deps.store.read((reader) => prepareChanges(deps, reader, cache, request))
  const { loadedChanges, plan, authorBase } = prepared
  if (hasErrors(loadedChanges.findings)) throw deployError(loadedChanges.findings)
  requireReviewedDigest(prepared)
  // The submitter of older content cannot edit it, so its errors would only come back after the approvals.
  if (loadedChanges.isRestore && hasErrors(prepared.assessment.findings))
    throw deployError(prepared.assessment.findings, 'Nothing was submitted.')
  if (plan.changes.length === 0)
    throw new AlmanacError(
      'request.invalid',
      `The change list equals the content of generation ${plan.base}, so there is nothing to approve.`,
    )
  const { changeDigest, findings } = plan
  // Changes that the author cannot apply are not counted if they are hidden; the count would reveal what is hidden.
  const counts = prepared.denials.length > 0 ? countsForAudience(prepared) : plan.counts
  deps.store.write((transactor) =>
    deps.approvalPolicy.save(
      transactor,
      request,
      { loadedChanges, base: authorBase, changeDigest, counts, findings },
      terms,
    ),
  )
  return outcomeOf(prepared, Math.round(performance.now() - started))
}
