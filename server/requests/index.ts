// Change requests: a change list waits, is approved by its digest, and applies; and the gate that every other list must
// pass if the org requires approvals (docs/reference/pipeline-and-approvals.md).
export type { AppliedRequest } from './apply-request.ts'
export { createChangeRequests, type ChangeRequests } from './change-requests.ts'
export { requestDetailView, submittedView, type LazyRequestView } from './request-view.ts'
export { startDueRunner } from './due-runner.ts'
export { createApprovalPolicy } from './create-approval-policy.ts'
export type { ChangeRequestFeedEvent } from './change-request-feed.ts'
export type { ChangeRequestDetail, RequestPage, RequestFilter } from './read-requests.ts'
export type { NewChangeRequest, SubmitOutcome } from './submit.ts'
