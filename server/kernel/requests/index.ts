// Change requests: their types and their lifecycle (docs/reference/pipeline-and-approvals.md).
export {
  changeRequestEventKinds,
  changeRequestStates,
  waitingStates,
  type ChangeRequestApproval,
  type ChangeRequestDetailOf,
  type ChangeRequestEvent,
  type ChangeRequestEventKind,
  type ChangeRequestFailure,
  type ChangeRequestStanding,
  type ChangeRequestState,
  type ChangeRequestSummary,
  type Contribution,
  type Contributor,
} from './change-request.ts'
export {
  approvalRequired,
  countingApprovals,
  refusalOf,
  stateByApprovals,
  type ChangeRequestAction,
  type Person,
  type Refusal,
} from './lifecycle.ts'
