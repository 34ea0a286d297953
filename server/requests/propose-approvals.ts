// Requiring fewer approvals is itself a change that needs the approvals in force: a change request that takes effect
// with its last approval (docs/reference/pipeline-and-approvals.md).
import { digestOf } from '#kernel/change/digest.ts'
import type { Sha256 } from '#kernel/change/index.ts'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import type { Actor } from '../access/index.ts'
import type { ChangeRequestRow } from '../ports/change-requests.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import { recordTransition } from './request-transition.ts'
import { requiredApprovals, setRequiredApprovals } from './required-approvals.ts'
import { summaryOf } from './summary.ts'

export interface Proposal {
  id: string
  at: string
  required: number
}

/** Returns the waiting request; one of the same author and number is not created twice. */
export function proposeApprovals(
  transactor: OrgTransactor,
  by: Actor,
  { id, at, required }: Proposal,
  sha256: Sha256,
): ChangeRequestSummary {
  const from = requiredApprovals(transactor)
  const waiting = transactor.requests
    .list({ states: ['open'], author: by.actor, limit: Number.MAX_SAFE_INTEGER })
    .find((each) => each.proposedApprovals === required)
  if (waiting !== undefined) return summaryOf(transactor, waiting)
  const { lineage } = transactor.properties.get()
  const digest = digestOf({ lineage, id, requiredApprovals: required }, sha256)
  const row: ChangeRequestRow = {
    id,
    revision: 1,
    state: 'open',
    title: `Require ${approvalWords(required)} instead of ${approvalWords(from)}`,
    rationale: '',
    author: by.actor,
    operator: by.operatorName ?? null,
    contributors: [],
    createdAt: at,
    updatedAt: at,
    digest,
    changeDigest: digest,
    salt: '',
    base: transactor.generations.active(),
    prune: false,
    rollbackTo: null,
    restoresFrom: null,
    proposedApprovals: required,
    applyOn: null,
    counts: { added: 0, changed: 0, renamed: 0, removed: 0 },
    touches: { sets: [], others: false },
    findings: [],
    errors: 0,
    warnings: 0,
    failure: null,
    generation: null,
  }
  return recordTransition(transactor, by, at, row, {
    kind: 'created',
    facts: { title: row.title, proposedApprovals: required },
  })
}

/** A proposal with enough approvals takes effect. Any other request is unchanged. */
export function settleProposal(transactor: OrgTransactor, by: Actor, at: string, id: string): void {
  const row = transactor.requests.get(id)
  if (row === undefined || row.proposedApprovals === null || row.state !== 'open') return
  const was = summaryOf(transactor, row)
  if (was.state !== 'approved') return
  setRequiredApprovals(transactor, by, at, row.proposedApprovals)
  recordTransition(transactor, by, at, { ...row, state: 'applied' }, { kind: 'applied', before: was })
}

function approvalWords(required: number): string {
  return required === 1 ? '1 approval' : `${required} approvals`
}
