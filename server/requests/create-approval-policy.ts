// The gate before every apply: if the org requires approvals, only an approved change request passes
// (docs/reference/pipeline-and-approvals.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Sha256 } from '#kernel/change/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { OrgProperties } from '../ports/org-properties.ts'
import type { Actor } from '../access/index.ts'
import type { ApplyRequest, ChangeSource, ApprovalPolicy } from '../pipeline/index.ts'
import { requireAction, requireRevision, recordTransition } from './request-transition.ts'
import { saveChangeRequest } from './save-change-request.ts'
import { requestNotFoundError } from './request-visibility.ts'
import { personOf } from './person.ts'
import { requiredApprovals } from './required-approvals.ts'
import { summaryOf } from './summary.ts'

export interface ApprovalPolicyDeps {
  clock: Clock
  random: Randomness
  sha256: Sha256
}

export function createApprovalPolicy({ clock, random, sha256 }: ApprovalPolicyDeps): ApprovalPolicy {
  return {
    admit: (reader, { source }) => {
      if (source.kind !== 'request') return admitDirectApply(reader, source)
      const row = requireRow(reader, source.id)
      requireRevision(row, { revision: source.revision })
      const summary = summaryOf(reader, row)
      // A scheduled apply runs with the author's permissions.
      requireAction('apply', summary, personOf(reader, source.appliedBy ?? row.author))
      const approvers = summary.approvals.flatMap(({ approver, counts }) => (counts ? [approver] : []))
      return { id: row.id, author: row.author, approvers, appliedBy: source.appliedBy }
    },
    recordApply: (transactor, request, generation) => {
      const { id, appliedBy } = request.source as Extract<ChangeSource, { kind: 'request' }>
      const row = requireRow(transactor, id)
      recordTransition(
        transactor,
        byOf(request, appliedBy ?? row.author),
        clock.now(),
        { ...row, state: 'applied', generation },
        {
          kind: 'applied',
          text: appliedBy === null ? `on its date, ${row.applyOn}` : '',
          facts: { generation },
        },
      )
    },
    save: (transactor, request, list, terms) =>
      saveChangeRequest(transactor, byOf(request, request.actor), clock.now(), {
        ...{ request, list, terms, sha256 },
        newSalt: () => Buffer.from(random.bytes(32)).toString('hex'),
      }),
  }
}

function admitDirectApply(reader: Pick<OrgReader, 'properties' | 'settings'>, source: ChangeSource): null {
  const required = requiredApprovals(reader)
  if (required === 0) return null
  throw approvalRequiredError(reader.properties.get(), required, source)
}

function approvalRequiredError(
  { name, environment }: OrgProperties,
  required: number,
  source: ChangeSource,
): AlmanacError {
  const asks = required === 1 ? 'one approval' : `${required} approvals`
  const way =
    source.kind === 'generation'
      ? `"almanac request --rollback ${source.generation}", or POST /metadata/v3/change-requests with { "generation": ${source.generation} }`
      : source.kind === 'revert'
        ? `"almanac request --revert ${source.generation}", or POST /metadata/v3/change-requests with { "revert": { "generation": ${source.generation} } }`
        : '"almanac request" with the same change list, or POST /metadata/v3/change-requests with the same body'
  return new AlmanacError(
    'deploy.approval_required',
    `${name} (${environment}) requires ${asks} before an apply; nothing was applied. Create a change request: ${way}.`,
    { details: [{ requiredApprovals: required }] },
  )
}

function requireRow(reader: Pick<OrgReader, 'requests'>, id: string) {
  const row = reader.requests.get(id)
  if (row === undefined) throw requestNotFoundError(id)
  return row
}

function byOf({ correlationId, operatorName }: ApplyRequest, actor: string): Actor {
  return { actor, operatorName, correlationId: correlationId ?? '' }
}
