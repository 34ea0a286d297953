// Decisions of users about a change request: approve its digest, reject, withdraw, comment, set a date (completions 4).
import type { ChangeRequestAction, ChangeRequestSummary } from '#kernel/requests/index.ts'
import type { By } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-request-store.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import { demandAction, demandSeen, happened, type Happening, type Seen } from './happened.ts'
import { knownRequest } from './knowing.ts'
import type { RequestParts } from './parts.ts'
import { settleProposal } from './propose-approvals.ts'
import { personOf } from './person.ts'
import { dayOf } from './submit.ts'
import { summaryOf } from './summary.ts'

export interface Approval extends Seen {
  /** The digest that is approved; any digest other than the request's is refused. */
  digest: string
  comment?: string | undefined
}

/** Each returns the request in its new state. */
export interface Decisions {
  /** @throws AlmanacError access.own_approval, conflict.stale_plan, conflict.request_state, access.denied */
  approve(by: By, id: string, approval: Approval): Promise<ChangeRequestSummary>
  reject(by: By, id: string, reason: string): Promise<ChangeRequestSummary>
  withdraw(by: By, id: string, reason: string): Promise<ChangeRequestSummary>
  comment(by: By, id: string, text: string): Promise<ChangeRequestSummary>
  /** Null removes the date. A request that failed on its date waits again. */
  schedule(by: By, id: string, applyOn: string | null): Promise<ChangeRequestSummary>
}

interface Decision {
  row: ChangeRequestRow
  what: Happening
}

export function decisionsOver({ write, clock }: RequestParts): Decisions {
  const decided = (
    action: ChangeRequestAction,
    by: By,
    id: string,
    /** Null if it is already in that state. */
    decide: (row: ChangeRequestRow, transactor: OrgTransactor) => Decision | null,
  ): Promise<ChangeRequestSummary> =>
    write((transactor) => {
      const { row, sight } = knownRequest(transactor, by, id)
      const person = { ...personOf(transactor, by.actor), operator: by.operatorName }
      demandAction(action, summaryOf(transactor, row), person)
      const decision = decide(row, transactor)
      if (decision !== null) happened(transactor, by, clock.now(), decision.row, decision.what)
      settleProposal(transactor, by, clock.now(), id)
      return summaryOf(transactor, transactor.changeRequest(id)!, sight)
    })

  return {
    approve: (by, id, { comment = '', ...seen }) =>
      decided('approve', by, id, (row, transactor) => {
        demandSeen(row, seen)
        const { digest } = row
        const standing = summaryOf(transactor, row).approvals
        if (standing.some(({ approver, counts }) => counts && approver === by.actor)) return null
        const was = summaryOf(transactor, row)
        const operator = by.operatorName ?? null
        transactor.putApproval({
          request: id,
          approver: by.actor,
          operator,
          digest,
          at: clock.now(),
          comment,
        })
        return { row, what: { kind: 'approved', text: comment, was } }
      }),
    reject: (by, id, reason) =>
      decided('reject', by, id, (row) => ({
        row: { ...row, state: 'rejected' },
        what: { kind: 'rejected', text: reason },
      })),
    withdraw: (by, id, reason) =>
      decided('withdraw', by, id, (row) => ({
        row: { ...row, state: 'withdrawn' },
        what: { kind: 'withdrawn', text: reason },
      })),
    comment: (by, id, text) =>
      decided('comment', by, id, (row) => ({ row, what: { kind: 'commented', text } })),
    schedule: (by, id, applyOn) =>
      decided('schedule', by, id, (row) => ({
        row: { ...row, state: 'open', failure: null, applyOn: dayOf(applyOn, clock.today()) },
        what: applyOn === null ? { kind: 'unscheduled' } : { kind: 'scheduled', text: applyOn },
      })),
  }
}
