// A change request as every interface shows it.
import type { ChangeRequestDetailOf } from '#kernel/requests/index.ts'
import type { ChangeView, SubmittedRequestView } from '#wire/index.ts'
import { changeViews, type LazyList } from '../pipeline/index.ts'
import type { ChangeRequestDetail } from './read-requests.ts'
import type { SubmitOutcome } from './submit.ts'

export function submittedView({ request, outcome }: SubmitOutcome): SubmittedRequestView {
  const { findings, findingsTotal } = outcome
  return { ...request, findings, findingsTotal }
}

/** The changes are created as they are read. */
export type LazyRequestView = ChangeRequestDetailOf<LazyList<ChangeView>>

export function requestDetailView({ changes, ...detail }: ChangeRequestDetail): LazyRequestView {
  // The required permissions are those of the author.
  const access = { user: detail.author }
  return { ...detail, changes: changeViews({ rows: changes, findings: detail.findings, access }) }
}
