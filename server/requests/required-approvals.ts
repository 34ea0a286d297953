// How many approvals the org requires before a change list applies; none by default
// (docs/reference/pipeline-and-approvals.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireActorPermission, recordAudit, type Actor } from '../access/index.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'

const setting = 'approvals'
/** More than any org requires, so that a typo cannot lock the org. */
const maxRequiredApprovals = 20

export function requiredApprovals(reader: Pick<OrgReader, 'settings'>): number {
  const value = reader.settings.get(setting) as { required?: number } | undefined
  return value?.required ?? 0
}

/** @throws AlmanacError access.denied, request.invalid */
export function requireApprovalsChange(
  transactor: Pick<OrgTransactor, 'generations' | 'people'>,
  by: Actor,
  required: number,
): void {
  requireActorPermission(by, transactor, 'access.manage', 'to set how many approvals the org requires')
  if (!Number.isInteger(required) || required < 0 || required > maxRequiredApprovals)
    throw new AlmanacError(
      'request.invalid',
      `The number of approvals must be 0 to ${maxRequiredApprovals}; ${required} is not.`,
    )
}

export function setRequiredApprovals(
  transactor: Pick<OrgTransactor, 'audit' | 'settings'>,
  by: Actor,
  at: string,
  required: number,
): void {
  const before = requiredApprovals(transactor)
  if (before === required) return
  transactor.settings.put(setting, { required })
  const fact = { component: `setting/${setting}`, kind: 'setting.changed' }
  recordAudit(transactor, by, at, { ...fact, before: { required: before }, after: { required } })
}
