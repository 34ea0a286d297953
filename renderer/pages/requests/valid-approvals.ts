// How many approvals of a request count: one for an earlier list, or by a user who can no longer approve, does not.
import type { RequestDetail } from '../../api/wire.ts'

export function validApprovals({ approvals }: Pick<RequestDetail, 'approvals'>): number {
  return approvals.filter(({ counts }) => counts).length
}
