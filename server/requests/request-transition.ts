// Writes what happens to a change request: its row, its history and the audit, always together.
import { shortDigest } from '#kernel/change/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  refusalOf,
  type ChangeRequestAction,
  type ChangeRequestEventKind,
  type ChangeRequestSummary,
  type Person,
} from '#kernel/requests/index.ts'
import { recordAudit, type Actor } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-requests.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import { summaryOf } from './summary.ts'

export interface Transition {
  kind: ChangeRequestEventKind
  /** The comment, the reason, the date, or what went wrong. */
  text?: string
  /** For the audit, in addition to state, revision and digest. */
  facts?: Record<string, string | number | null>
  /** The earlier state, if more than its row changed. */
  before?: ChangeRequestSummary
}

/** Writes the new row, an event and an audit row. Returns the request as it is shown. */
export function recordTransition(
  transactor: OrgTransactor,
  by: Actor,
  at: string,
  row: ChangeRequestRow,
  { kind, text = '', facts = {}, before = standingOf(transactor, row.id) }: Transition,
): ChangeRequestSummary {
  transactor.requests.put({ ...row, updatedAt: at })
  const summary = summaryOf(transactor, { ...row, updatedAt: at })
  const { id: request, state, digest } = summary
  const operator = by.operatorName ?? null
  transactor.requests.appendEvent({ request, at, actor: by.actor, operator, kind, state, digest, text })
  recordAudit(transactor, by, at, {
    component: `change_request/${request}`,
    kind: `change_request.${kind}`,
    before: before === undefined ? null : auditFacts(before),
    after: { ...auditFacts(summary), ...facts },
    rationale: text,
  })
  return summary
}

function standingOf(transactor: OrgTransactor, id: string): ChangeRequestSummary | undefined {
  const row = transactor.requests.get(id)
  return row === undefined ? undefined : summaryOf(transactor, row)
}

function auditFacts({ state, revision, digest, applyOn }: ChangeRequestSummary) {
  return { state, revision, digest, applyOn }
}

/** @throws AlmanacError access.own_approval, access.denied, deploy.approval_required, conflict.request_state */
export function requireAction(
  action: ChangeRequestAction,
  request: ChangeRequestSummary,
  person: Person,
): void {
  const refusal = refusalOf(action, request, person)
  if (refusal === null) return
  const { code, message } = refusal
  const details =
    code === 'access.denied' ? [{ id: `user/${person.user}`, permission: 'deploy.approve' }] : []
  throw new AlmanacError(code, message, { details })
}

/** The version that a user saw, which must be the current one. */
export interface ExpectedRevision {
  digest?: string | undefined
  revision?: number | undefined
}

/** @throws AlmanacError conflict.stale_plan */
export function requireRevision({ id, digest, revision }: ChangeRequestRow, seen: ExpectedRevision): void {
  const sameList = seen.digest === undefined || seen.digest === digest
  if (sameList && (seen.revision === undefined || seen.revision === revision)) return
  throw new AlmanacError(
    'conflict.stale_plan',
    `The change request ${id} was edited since you read it: it is at revision ${revision} with the digest ${digest} (${shortDigest(digest)}). Review it again.`,
    { details: [{ id, digest, revision }] },
  )
}
