// Change requests of one org: created, edited, discussed, approved by their digest, applied by a user or on their date
// (docs/reference/pipeline-and-approvals.md).
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import type { Actor } from '../access/index.ts'
import { createRequestApplier, type RequestApplier } from './apply-request.ts'
import { createDecisions, type Decisions } from './decisions.ts'
import { createChangeRequestFeed, type ChangeRequestFeed } from './change-request-feed.ts'
import type { RequestDeps } from './deps.ts'
import { createRequestReader, type RequestReader } from './read-requests.ts'
import { proposeApprovals } from './propose-approvals.ts'
import { requireApprovalsChange, requiredApprovals, setRequiredApprovals } from './required-approvals.ts'
import { createRequestSubmitter, type RequestSubmitter } from './submit.ts'

export interface ChangeRequests
  extends RequestSubmitter, Decisions, RequestApplier, RequestReader, ChangeRequestFeed {
  /** How many approvals the org requires before an apply; 0 if none. */
  requiredApprovals(): number
  /**
   * Requires this many approvals from now on. Lowering the number needs the approvals in force: nothing changes yet,
   * and the waiting change request is returned.
   * @throws AlmanacError access.denied, request.invalid
   */
  setRequiredApprovals(by: Actor, required: number): Promise<ChangeRequestSummary | null>
}

export function createChangeRequests(deps: RequestDeps): ChangeRequests {
  const { store, write, clock, ids, org } = deps
  const feed = createChangeRequestFeed({ read: (work) => store.read(work) })
  const submitting = createRequestSubmitter(deps)
  const decisions = createDecisions(deps)
  const applying = createRequestApplier(deps)
  /** Called after a failure too, because the failure may have been recorded. */
  const pollAfter = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done
    } finally {
      feed.poll()
    }
  }
  return {
    ...createRequestReader(deps),
    ...feed,
    create: (...args) => pollAfter(submitting.create(...args)),
    edit: (...args) => pollAfter(submitting.edit(...args)),
    approve: (...args) => pollAfter(decisions.approve(...args)),
    reject: (...args) => pollAfter(decisions.reject(...args)),
    withdraw: (...args) => pollAfter(decisions.withdraw(...args)),
    comment: (...args) => pollAfter(decisions.comment(...args)),
    schedule: (...args) => pollAfter(decisions.schedule(...args)),
    apply: (...args) => pollAfter(applying.apply(...args)),
    applyDue: () => pollAfter(applying.applyDue()),
    requiredApprovals: () => store.read(requiredApprovals),
    setRequiredApprovals: (by, required) =>
      pollAfter(
        write((transactor) => {
          requireApprovalsChange(transactor, by, required)
          const at = clock.now()
          if (required < requiredApprovals(transactor))
            return proposeApprovals(transactor, by, { id: ids.uuid(), at, required }, org.sha256)
          setRequiredApprovals(transactor, by, at, required)
          return null
        }),
      ),
  }
}
