// Admit: refuses a list that is not the reviewed one, that has errors or denials, or that requires approvals.
import { AlmanacError, errorWithFindings } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import { accessDenied } from '../../access/index.ts'
import type { GenerationRequest } from '#wire/index.ts'
import type { LoadResult, StageInput } from './load.ts'
import type { PlanResult } from './plan.ts'
import type { Stage } from './stage.ts'

type CheckedPlan = Pick<StageInput, 'request'> & Pick<PlanResult, 'plan' | 'changeDigest' | 'assessment'>
type Needs = CheckedPlan & Pick<StageInput, 'deps' | 'reader' | 'trusted'> & Pick<LoadResult, 'loadedChanges'>

export interface AdmitResult {
  /** The change request to which the list belongs; null for a direct change list. */
  origin: GenerationRequest | null
}

/**
 * Runs again in the write transaction, because approvals can change in between.
 * @throws AlmanacError access.denied, conflict.stale_plan, deploy.* with the findings
 */
export const admit: Stage<'admit', Needs, AdmitResult> = {
  name: 'admit',
  run: (context) => {
    // Errors of older content are reported before approvals are requested, because no approver could fix them.
    if (context.loadedChanges.isRestore) requireApplicable(context)
    const origin = requestOf(context)
    requireApplicable(context)
    return { origin }
  },
}

/** An apply that changes nothing is not an apply, regardless of its source. */
function requestOf({ deps, reader, request, plan, trusted }: Needs): GenerationRequest | null {
  const isEmpty = plan.changes.length === 0 && request.source.kind !== 'request'
  return trusted || isEmpty ? null : deps.approvalPolicy.admit(reader, request)
}

function requireApplicable(checked: CheckedPlan): void {
  const { findings, denials } = checked.assessment
  // A right that was lost hides parts of the list, and is the cause that the caller can act on.
  if (denials.length > 0) throw accessDenied(denials)
  requireReviewedDigest(checked)
  if (hasErrors(findings)) throw deployError(findings)
}

/** Refuses a change list that is not the reviewed one. @throws AlmanacError conflict.stale_plan */
export function requireReviewedDigest({
  request,
  plan,
  changeDigest,
}: Omit<CheckedPlan, 'assessment'>): void {
  if (request.changeDigest !== undefined && request.changeDigest !== changeDigest)
    throw new AlmanacError(
      'conflict.stale_plan',
      `The change list is no longer the one that was reviewed: it would change ${formatComponentCount(plan.changes.length)} against generation ${plan.base}. Review it again.`,
      { details: [{ reviewed: request.changeDigest, found: changeDigest, base: plan.base }] },
    )
}

/** Causes with an error code of their own, used if no other cause is present. */
const ownCodes: readonly ErrorCode[] = [
  'deploy.still_referenced',
  'deploy.field_in_use',
  'deploy.slice_budget',
  'deploy.secret_absent',
]

/** Why nothing was applied; `findings` contains at least one error. */
export function deployError(findings: readonly Finding[], outcome = 'Nothing was applied.'): AlmanacError {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const own = ownCodes.find((code) => errors.every((error) => error.code === code))
  const [first] = errors
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : ''
  return errorWithFindings(own ?? 'deploy.invalid', `${outcome} ${first!.message}${more}`, findings)
}

function formatComponentCount(changes: number): string {
  return changes === 1 ? 'one component' : `${changes} components`
}
