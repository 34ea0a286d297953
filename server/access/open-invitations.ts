// One-time links that can still be used: not expired, for an active user, created by a user who can still invite.
import type { OpenInvitation } from '#wire/people.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { InvitationRow } from '../ports/invitations.ts'
import { effectiveAccess, hasPermission } from './effective-access.ts'

export interface InvitationOfUser extends OpenInvitation {
  user: string
}

/** A link ends with the rights of its creator. One created on the org's own folder needs no rights. */
export function canMakerInvite(
  reader: Pick<OrgReader, 'generations' | 'people'>,
  { madeBy, fromFolder }: Pick<InvitationRow, 'madeBy' | 'fromFolder'>,
): boolean {
  if (fromFolder) return true
  if (madeBy === null || reader.people.user(madeBy) === undefined) return false
  return hasPermission(
    effectiveAccess(reader, madeBy, reader.generations.view(reader.generations.active())),
    'access.manage',
  )
}

export function openInvitations(
  reader: Pick<OrgReader, 'generations' | 'invitations' | 'people'>,
  now: string,
): InvitationOfUser[] {
  const cache = new Map<string, boolean>()
  const mayInvite = (row: InvitationRow): boolean => {
    const maker = `${row.madeBy} ${row.fromFolder}`
    let may = cache.get(maker)
    if (may === undefined) cache.set(maker, (may = canMakerInvite(reader, row)))
    return may
  }
  return reader.invitations.list().flatMap((row) => {
    const { user, madeBy, madeAt, operator, expiresAt } = row
    if (expiresAt <= now || madeBy === null || madeAt === null) return []
    if (reader.people.user(user)?.active !== true || !mayInvite(row)) return []
    const madeByName = reader.people.user(madeBy)?.name ?? madeBy
    return [{ user, madeBy, madeByName, operator, madeAt, expiresAt }]
  })
}
