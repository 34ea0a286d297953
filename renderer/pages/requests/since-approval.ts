// What changed in a request since the user approved it: this browser remembers what it showed then.
import type { ChangeRequestApproval, ChangeView, RequestDetail } from '../../api/wire.ts'

interface ApprovedState {
  digest: string
  rationale: string
  /** The content of each change, by id. */
  changes: Record<string, string>
}

export interface SinceApproval {
  rationale: boolean
  changes: { id: string; title: string; what: 'added' | 'changed' | 'removed' }[]
}

type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem'>
const place = (id: string): string => `almanac.approved.${id}`
const saysOf = ({ kind, words, before, after }: ChangeView): string =>
  JSON.stringify([kind, words.title, words.before, words.after, before, after])

/** The last approval of a user; undefined if none exists. */
function lastOf({ approvals }: RequestDetail, user: string): ChangeRequestApproval | undefined {
  return approvals.findLast(({ approver }) => approver === user)
}

/** Remembers what was approved, while the approval is valid. */
export function rememberApproval(
  request: RequestDetail,
  user: string,
  storage: KeyValueStorage = localStorage,
): void {
  if (lastOf(request, user)?.counts !== true) return
  const seen: ApprovedState = {
    digest: request.digest,
    rationale: request.rationale,
    changes: Object.fromEntries(request.changes.map((change) => [change.id, saysOf(change)])),
  }
  try {
    storage.setItem(place(request.id), JSON.stringify(seen))
  } catch {
    // If the store is full, only the comparison is lost.
  }
}

/** Null if nothing changed, or the earlier content is not remembered. */
export function sinceApproval(
  request: RequestDetail,
  user: string,
  storage: KeyValueStorage = localStorage,
): SinceApproval | null {
  const approval = lastOf(request, user)
  if (approval === undefined || approval.voidedAt === null) return null
  const seen = parseState(storage.getItem(place(request.id)))
  if (seen === null || seen.digest !== approval.digest) return null
  const now = new Set<string>(request.changes.map(({ id }) => id))
  return {
    rationale: seen.rationale !== request.rationale,
    changes: [
      ...request.changes.flatMap((change): SinceApproval['changes'] => {
        const seenContent = seen.changes[change.id]
        if (seenContent === saysOf(change)) return []
        const what = seenContent === undefined ? 'added' : 'changed'
        return [{ id: change.id, title: change.words.title, what }]
      }),
      ...Object.keys(seen.changes).flatMap((id): SinceApproval['changes'] =>
        now.has(id) ? [] : [{ id, title: id, what: 'removed' }],
      ),
    ],
  }
}

function parseState(text: string | null): ApprovedState | null {
  try {
    return text === null ? null : (JSON.parse(text) as ApprovedState)
  } catch {
    return null
  }
}
