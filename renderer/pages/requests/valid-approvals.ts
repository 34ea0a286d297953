// How many approvals of a request are valid: one for an earlier list, or by a user who can no longer approve, is not.
import type { RequestDetail } from '../../api/wire.ts'

export function validApprovals({ approvals }: Pick<RequestDetail, 'approvals'>): number {
  return approvals.filter(({ counts }) => counts).length
}
