// Decisions of users about a change request: approve its digest, reject, withdraw, comment, set a date
// (docs/reference/pipeline-and-approvals.md).
import type { ChangeRequestAction, ChangeRequestSummary } from '#kernel/requests/index.ts'
import type { Actor } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-requests.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import {
  requireAction,
  requireRevision,
  recordTransition,
  type Transition,
  type ExpectedRevision,
} from './request-transition.ts'
import { findVisibleRequest } from './request-visibility.ts'
import type { RequestDeps } from './deps.ts'
import { settleProposal } from './propose-approvals.ts'
import { personOf } from './person.ts'
import { parseApplyOn } from './submit.ts'
import { summaryOf } from './summary.ts'

export interface Approval extends ExpectedRevision {
  /** The digest that is approved; any digest other than the request's is refused. */
  digest: string
  comment?: string | undefined
}

/** Each returns the request in its new state. */
export interface Decisions {
  /** @throws AlmanacError access.own_approval, conflict.stale_plan, conflict.request_state, access.denied */
  approve(by: Actor, id: string, approval: Approval): Promise<ChangeRequestSummary>
  reject(by: Actor, id: string, reason: string): Promise<ChangeRequestSummary>
  withdraw(by: Actor, id: string, reason: string): Promise<ChangeRequestSummary>
  comment(by: Actor, id: string, text: string): Promise<ChangeRequestSummary>
  /** Null removes the date. A request that failed on its date waits again. */
  schedule(by: Actor, id: string, applyOn: string | null): Promise<ChangeRequestSummary>
}

interface Decision {
  row: ChangeRequestRow
  what: Transition
}

export function createDecisions({ write, clock }: RequestDeps): Decisions {
  const decideRequest = (
    action: ChangeRequestAction,
    by: Actor,
    id: string,
    /** Null if it is already in that state. */
    decide: (row: ChangeRequestRow, transactor: OrgTransactor) => Decision | null,
  ): Promise<ChangeRequestSummary> =>
    write((transactor) => {
      const { row, viewer } = findVisibleRequest(transactor, by, id)
      const person = { ...personOf(transactor, by.actor), operator: by.operatorName }
      requireAction(action, summaryOf(transactor, row), person)
      const decision = decide(row, transactor)
      if (decision !== null) recordTransition(transactor, by, clock.now(), decision.row, decision.what)
      settleProposal(transactor, by, clock.now(), id)
      return summaryOf(transactor, transactor.requests.get(id)!, viewer)
    })

  return {
    approve: (by, id, { comment = '', ...seen }) =>
      decideRequest('approve', by, id, (row, transactor) => {
        requireRevision(row, seen)
        const { digest } = row
        const standing = summaryOf(transactor, row).approvals
        if (standing.some(({ approver, counts }) => counts && approver === by.actor)) return null
        const was = summaryOf(transactor, row)
        const operator = by.operatorName ?? null
        transactor.requests.putApproval({
          request: id,
          approver: by.actor,
          operator,
          digest,
          at: clock.now(),
          comment,
        })
        return { row, what: { kind: 'approved', text: comment, before: was } }
      }),
    reject: (by, id, reason) =>
      decideRequest('reject', by, id, (row) => ({
        row: { ...row, state: 'rejected' },
        what: { kind: 'rejected', text: reason },
      })),
    withdraw: (by, id, reason) =>
      decideRequest('withdraw', by, id, (row) => ({
        row: { ...row, state: 'withdrawn' },
        what: { kind: 'withdrawn', text: reason },
      })),
    comment: (by, id, text) =>
      decideRequest('comment', by, id, (row) => ({ row, what: { kind: 'commented', text } })),
    schedule: (by, id, applyOn) =>
      decideRequest('schedule', by, id, (row) => ({
        row: { ...row, state: 'open', failure: null, applyOn: parseApplyOn(applyOn, clock.today()) },
        what: applyOn === null ? { kind: 'unscheduled' } : { kind: 'scheduled', text: applyOn },
      })),
  }
}
