// The slice budget: the total size that the slices of one generation may have, set by the operator
// (docs/reference/pipeline-and-approvals.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireActorPermission, recordAudit, type Actor } from '../access/index.ts'
import type { OrgTransactor } from '../ports/org-store.ts'

/** `bytes` is the total, at least one. @throws AlmanacError access.denied, request.invalid */
export function putSliceBudget(transactor: OrgTransactor, by: Actor, at: string, bytes: number): void {
  requireActorPermission(by, transactor, 'access.manage', 'to change the slice budget')
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    throw new AlmanacError('request.invalid', `A slice budget must be a whole number of bytes, not ${bytes}.`)
  const { sliceBudget: before } = transactor.properties.get()
  if (before === bytes) return
  transactor.properties.put({ sliceBudget: bytes })
  const fact = { component: 'setting/slice_budget', kind: 'setting.changed' }
  recordAudit(transactor, by, at, { ...fact, before: { bytes: before }, after: { bytes } })
}
