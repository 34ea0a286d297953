// Converts a change request for the HTTP surface.
import type { RequestDetailView, SubmittedRequestView } from '#wire/change-requests.ts'
import type { ChangeRequestDetail, SubmitOutcome } from '../../requests/index.ts'
import { changeViews } from './change-view.ts'

export function submittedView({ request, outcome }: SubmitOutcome): SubmittedRequestView {
  const { findings, findingsTotal } = outcome
  return { ...request, findings, findingsTotal }
}

export function detailView({ changes, ...detail }: ChangeRequestDetail): RequestDetailView {
  // The required permissions are those of the author.
  const parts = { rows: [...changes], findings: detail.findings, access: { user: detail.author } }
  return { ...detail, changes: changeViews(parts) }
}
