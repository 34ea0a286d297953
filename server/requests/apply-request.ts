// Applies an approved change request, on a user's request or on its date; the checks of any apply run again
// (docs/reference/pipeline-and-approvals.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isFinding } from '#kernel/errors/finding.ts'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import type { Actor } from '../access/index.ts'
import type { ApplyOutcome, ApplyRequest } from '../pipeline/index.ts'
import type { ChangeRequestRow } from '../ports/change-requests.ts'
import { approvalRequired } from '#kernel/requests/index.ts'
import {
  requireAction,
  requireRevision,
  recordTransition,
  type ExpectedRevision,
} from './request-transition.ts'
import { findVisibleRequest } from './request-visibility.ts'
import type { RequestDeps } from './deps.ts'
import { personOf, viewerOf } from './person.ts'
import { summaryOf } from './summary.ts'

export interface AppliedRequest {
  outcome: ApplyOutcome
  request: ChangeRequestSummary
}

export interface RequestApplier {
  /**
   * `most`: the maximum number of changes and findings in the result. @throws AlmanacError those of an apply,
   * deploy.approval_required
   */
  apply(by: Actor, id: string, seen: ExpectedRevision, most?: number): Promise<AppliedRequest>
  /**
   * Applies what is due, oldest date first; a request that cannot be applied is marked as failed. Returns how many were
   * resolved.
   */
  applyDue(): Promise<number>
}

export function createRequestApplier(deps: RequestDeps): RequestApplier {
  const { store, org } = deps
  const run = (row: ChangeRequestRow, more: Pick<ApplyRequest, 'correlationId' | 'most'>, by: Actor | null) =>
    org.apply(
      {
        source: { kind: 'request', id: row.id, revision: row.revision, appliedBy: by?.actor ?? null },
        actor: row.author,
        rationale: row.rationale,
        changeDigest: row.digest,
        operatorName: by?.operatorName,
        ...(by === null ? {} : { viewerKey: by.isOperator === true ? null : by.actor }),
        ...more,
      },
      row.rollbackTo === null ? 'apply' : 'rollback',
    )
  return {
    apply: async (by, id, seen, most) => {
      const row = store.read((reader) => {
        const known = findVisibleRequest(reader, by, id).row
        requireAction('apply', summaryOf(reader, known), personOf(reader, by.actor))
        requireRevision(known, seen)
        return known
      })
      const { correlationId } = by
      const outcome = await run(row, most === undefined ? { correlationId } : { correlationId, most }, by)
      const request = store.read((reader) =>
        summaryOf(reader, reader.requests.get(id)!, viewerOf(reader, by)),
      )
      return { outcome, request }
    },
    applyDue: () => applyDue(deps, (row, correlationId) => run(row, { correlationId, most: 0 }, null)),
  }
}

type ApplyRow = (row: ChangeRequestRow, correlationId: string) => Promise<unknown>

async function applyDue(deps: RequestDeps, apply: ApplyRow): Promise<number> {
  const { store, clock, ids } = deps
  const today = clock.today()
  const due = store.read((reader) => {
    const rows = reader.requests.list({ states: ['open'], dueBy: today, limit: Number.MAX_SAFE_INTEGER })
    return rows.reverse().map((row) => ({ row, summary: summaryOf(reader, row) }))
  })
  due.sort((a, b) => (a.row.applyOn! < b.row.applyOn! ? -1 : a.row.applyOn! > b.row.applyOn! ? 1 : 0))
  let settled = 0
  const unforeseen: unknown[] = []
  for (const { row, summary } of due) {
    try {
      if (summary.state === 'approved') await apply(row, ids.uuid())
      // It can still be approved until the end of its day.
      else if (row.applyOn! < today) await fail(deps, row, notApproved(summary))
      else continue
      settled += 1
    } catch (error) {
      if (!(error instanceof AlmanacError)) unforeseen.push(error)
      else if (!error.kind.retriable && (await fail(deps, row, error))) settled += 1
    }
  }
  if (unforeseen.length > 0) throw unforeseen[0]
  return settled
}

function notApproved(summary: ChangeRequestSummary): AlmanacError {
  const { code, message } = approvalRequired(summary)
  return new AlmanacError(code, `Its date, ${summary.applyOn}, has passed. ${message}`)
}

/** Returns whether it was marked: a request that was edited, resolved or rescheduled in the meantime did not fail. */
function fail(
  { write, clock, ids }: RequestDeps,
  seen: ChangeRequestRow,
  error: AlmanacError,
): Promise<boolean> {
  const { code, message, details } = error
  return write((transactor) => {
    const row = transactor.requests.get(seen.id)!
    const same = row.revision === seen.revision && row.applyOn === seen.applyOn && row.state === 'open'
    if (!same) return false
    const at = clock.now()
    const failure = { at, code, message, findings: details.filter(isFinding) }
    const by: Actor = { actor: row.author, correlationId: ids.uuid() }
    recordTransition(transactor, by, at, { ...row, state: 'failed', failure }, { kind: 'failed', text: code })
    return true
  })
}
