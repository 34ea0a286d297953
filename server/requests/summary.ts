// A change request as it is shown: its state follows from the approvals that are valid now
// (docs/reference/pipeline-and-approvals.md).
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import {
  stateByApprovals,
  type ChangeRequestApproval,
  type ChangeRequestFailure,
  type ChangeRequestSummary,
} from '#kernel/requests/index.ts'
import type { Viewer } from '../access/index.ts'
import { redactFindings } from '../pipeline/index.ts'
import type { ChangeRequestRow } from '../ports/change-requests.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { personOf } from './person.ts'
import { requiredApprovals } from './required-approvals.ts'

/** `viewer`: of the reader; null if everything is shown. */
export function summaryOf(
  reader: OrgReader,
  row: ChangeRequestRow,
  viewer: Viewer | null = null,
): ChangeRequestSummary {
  const standing = { approvals: approvalsOf(reader, row), requiredApprovals: requiredApprovals(reader) }
  const { id, revision, title, rationale, author, createdAt, updatedAt, digest, base, rollbackTo } = row
  return {
    ...{ id, revision, state: row.state === 'open' ? stateByApprovals(standing) : row.state },
    ...{ operator: row.operator, proposedApprovals: row.proposedApprovals, contributors: row.contributors },
    ...{ title, rationale, author, createdAt, updatedAt, digest, base, rollbackTo },
    changeDigest: viewer === null || viewer.user === author ? row.changeDigest : null,
    counts: row.counts,
    errors: row.errors,
    warnings: row.warnings,
    ...standing,
    applyOn: row.applyOn,
    failure: row.failure === null ? null : redactFailure(row, row.failure, viewer),
    generation: row.generation,
  }
}

function approvalsOf(
  reader: Pick<OrgReader, 'generations' | 'people' | 'requests'>,
  { id, digest }: ChangeRequestRow,
): ChangeRequestApproval[] {
  return reader.requests
    .approvals(id)
    .map(({ approver, operator = null, at, comment, voidedAt, ...approval }) => {
      const stands = voidedAt === null && approval.digest === digest
      const counts = stands && personOf(reader, approver).canApprove
      return { approver, operator, digest: approval.digest, at, comment, voidedAt, counts }
    })
}

/** The message may name what a user other than the author cannot see. */
function redactFailure(
  { author, touches }: ChangeRequestRow,
  failure: ChangeRequestFailure,
  viewer: Viewer | null,
): ChangeRequestFailure {
  if (viewer === null || viewer.user === author) return failure
  const findings = redactFindings(failure.findings, viewer, new Set())
  const seesAll =
    failure.code !== 'deploy.slice_budget' && touches.sets.every((set) => viewer.visibility.canSeeValues(set))
  const { title } = errorCatalogue[failure.code as ErrorCode]
  return { ...failure, findings, message: seesAll ? failure.message : `${title}.` }
}
