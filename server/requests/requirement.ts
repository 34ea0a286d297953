// How many approvals the org requires before a change list applies; none by default (completions 4).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { demandOf, note, type By } from '../access/index.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'

const setting = 'approvals'
/** More than any org requires; a typing error must not lock the org. */
const most = 20

export function requiredApprovals(reader: OrgReader): number {
  const value = reader.setting(setting) as { required?: number } | undefined
  return value?.required ?? 0
}

/** @throws AlmanacError access.denied, request.invalid */
export function demandApprovalsChange(transactor: OrgTransactor, by: By, required: number): void {
  demandOf(by, transactor, 'access.manage', 'to set how many approvals the org requires')
  if (!Number.isInteger(required) || required < 0 || required > most)
    throw new AlmanacError(
      'request.invalid',
      `The number of approvals must be 0 to ${most}; ${required} is not.`,
    )
}

export function setRequiredApprovals(transactor: OrgTransactor, by: By, at: string, required: number): void {
  const before = requiredApprovals(transactor)
  if (before === required) return
  transactor.putSetting(setting, { required })
  const fact = { component: `setting/${setting}`, kind: 'setting.changed' }
  note(transactor, by, at, { ...fact, before: { required: before }, after: { required } })
}
