// One-time links that can still be used: not expired, for an active user, made by a user who can still invite.
import type { OpenInvitation } from '#wire/people.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { InvitationRow } from '../ports/sign-ins.ts'
import { effectiveAccess, hasPermission } from './effective-access.ts'

export interface InvitationOfUser extends OpenInvitation {
  user: string
}

/** A link ends with the rights of its creator. One made on the org's own folder needs no rights. */
export function canMakerInvite(
  reader: OrgReader,
  { madeBy, fromFolder }: Pick<InvitationRow, 'madeBy' | 'fromFolder'>,
): boolean {
  if (fromFolder) return true
  if (madeBy === null || reader.user(madeBy) === undefined) return false
  return hasPermission(
    effectiveAccess(reader, madeBy, reader.view(reader.activeGeneration())),
    'access.manage',
  )
}

export function openInvitations(reader: OrgReader, now: string): InvitationOfUser[] {
  const known = new Map<string, boolean>()
  const mayInvite = (row: InvitationRow): boolean => {
    const maker = `${row.madeBy} ${row.fromFolder}`
    let may = known.get(maker)
    if (may === undefined) known.set(maker, (may = canMakerInvite(reader, row)))
    return may
  }
  return reader.invitations().flatMap((row) => {
    const { user, madeBy, madeAt, operator, expiresAt } = row
    if (expiresAt <= now || madeBy === null || madeAt === null) return []
    if (reader.user(user)?.active !== true || !mayInvite(row)) return []
    const madeByName = reader.user(madeBy)?.name ?? madeBy
    return [{ user, madeBy, madeByName, operator, madeAt, expiresAt }]
  })
}
