// Who can do what to a change request in which state: on the kernel, the engine and over HTTP
// (docs/reference/pipeline-and-approvals.md).
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { ChangeRequestAction, ChangeRequestState } from '#kernel/requests/index.ts'

/** `author` holds deploy.approve too; `reader` can know of the request and no more. */
export type Role = 'author' | 'approver' | 'reader'

export interface RequestCase {
  action: ChangeRequestAction
  by: Role
  /** Reached while one approval is required. */
  state: Exclude<ChangeRequestState, 'failed'>
  /** Null if it is allowed. */
  code: ErrorCode | null
}

const allowed = (action: ChangeRequestAction, by: Role, state: RequestCase['state']): RequestCase => ({
  ...{ action, by, state },
  code: null,
})
const refused = (
  action: ChangeRequestAction,
  by: Role,
  state: RequestCase['state'],
  code: ErrorCode,
): RequestCase => ({ action, by, state, code })

export const requestCases: readonly RequestCase[] = [
  allowed('approve', 'approver', 'open'),
  allowed('approve', 'approver', 'approved'),
  refused('approve', 'author', 'open', 'access.own_approval'),
  refused('approve', 'author', 'applied', 'access.own_approval'),
  refused('approve', 'reader', 'open', 'access.denied'),
  refused('approve', 'approver', 'applied', 'conflict.request_state'),
  refused('approve', 'approver', 'withdrawn', 'conflict.request_state'),

  allowed('edit', 'author', 'open'),
  allowed('edit', 'author', 'approved'),
  refused('edit', 'approver', 'open', 'access.denied'),
  refused('edit', 'reader', 'open', 'access.denied'),
  refused('edit', 'author', 'rejected', 'conflict.request_state'),
  refused('edit', 'author', 'applied', 'conflict.request_state'),

  allowed('reject', 'approver', 'approved'),
  refused('reject', 'reader', 'open', 'access.denied'),
  refused('reject', 'approver', 'rejected', 'conflict.request_state'),

  allowed('withdraw', 'author', 'approved'),
  refused('withdraw', 'approver', 'open', 'access.denied'),
  refused('withdraw', 'author', 'applied', 'conflict.request_state'),

  allowed('comment', 'reader', 'open'),
  allowed('comment', 'reader', 'applied'),

  allowed('schedule', 'author', 'open'),
  allowed('schedule', 'approver', 'approved'),
  refused('schedule', 'reader', 'approved', 'access.denied'),
  refused('schedule', 'author', 'withdrawn', 'conflict.request_state'),

  allowed('apply', 'author', 'approved'),
  allowed('apply', 'approver', 'approved'),
  refused('apply', 'reader', 'approved', 'access.denied'),
  refused('apply', 'author', 'open', 'deploy.approval_required'),
  refused('apply', 'approver', 'open', 'deploy.approval_required'),
  refused('apply', 'approver', 'applied', 'conflict.request_state'),
  refused('apply', 'approver', 'rejected', 'conflict.request_state'),
]
