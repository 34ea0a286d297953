// Saves a change list that waits: it is checked like any other, and stored instead of applied
// (docs/reference/pipeline-and-approvals.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import { deployError, requireReviewedDigest } from './stages/index.ts'
import { checkThenWrite } from './check-then-write.ts'
import type { PipelineCache } from './pipeline-cache.ts'
import { outcomeOf, countsForAudience } from './outcome.ts'
import type { PipelineDeps } from './deps.ts'
import { prepareChanges, type PreparedChanges } from './prepare.ts'
import type { ApplyRequest, PlanOutcome, ChangeRequestTerms } from './request.ts'
import type { WriteRunner } from './write-queue.ts'

/**
 * Findings and missing permissions do not prevent saving: they are reported, and an apply checks again. Unreadable
 * content does, because it cannot be approved.
 * @throws AlmanacError deploy.invalid, request.invalid, conflict.stale_plan, conflict.stale_generation, those of the
 * source and of the approval policy.
 */
export async function submitChangeRequest(
  deps: PipelineDeps,
  cache: PipelineCache,
  turn: WriteRunner,
  request: ApplyRequest,
  terms: ChangeRequestTerms,
): Promise<PlanOutcome> {
  const started = performance.now()
  const { checked } = await checkThenWrite(deps.store, turn, {
    check: (reader) => {
      const prepared = prepareChanges(deps, reader, cache, request)
      requireSubmittable(prepared)
      return prepared
    },
    write: (transactor, prepared) => {
      const { loadedChanges, plan, authorBase } = prepared
      const { changeDigest, findings } = plan
      // Changes that the author cannot apply are not counted if they are hidden; the count would reveal what is hidden.
      const counts = prepared.denials.length > 0 ? countsForAudience(prepared) : plan.counts
      const submission = { loadedChanges, base: authorBase, changeDigest, counts, findings }
      deps.approvalPolicy.save(transactor, request, submission, terms)
    },
  })
  return outcomeOf(checked, Math.round(performance.now() - started))
}

/** @throws AlmanacError deploy.invalid, conflict.stale_plan, request.invalid */
function requireSubmittable(prepared: PreparedChanges): void {
  const { loadedChanges, plan, assessment } = prepared
  if (hasErrors(loadedChanges.findings)) throw deployError(loadedChanges.findings)
  requireReviewedDigest(prepared)
  // The submitter of older content cannot edit it, so its errors would only come back after the approvals.
  if (loadedChanges.isRestore && hasErrors(assessment.findings))
    throw deployError(assessment.findings, 'Nothing was submitted.')
  if (plan.changes.length === 0)
    throw new AlmanacError(
      'request.invalid',
      `The change list equals the content of generation ${plan.base}, so there is nothing to approve.`,
    )
}
