// Users and groups as the people page and the command line show them.
import type { GroupView, OpenInvitation, PeopleView, UserView } from '#wire/people.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { GroupRow, UserRow } from '../ports/people.ts'
import { openInvitations } from './open-invitations.ts'
import { versionOf } from './principal-checks.ts'
import { redactUser } from './redacted-user.ts'

export function peopleView(reader: OrgReader, now: string): PeopleView {
  const view = reader.generations.view(reader.generations.active())
  const [signedIn, invited] = [reader.signIns.lastTimes(), invitationsOf(reader, now)]
  return {
    users: reader.people.users().map((row) => viewOf(row, signedIn, invited)),
    groups: reader.people.groups().map(groupView),
    permissionSets: [...view.list('permission_set')]
      .map(({ key, label, body }) => ({ key, label, system: body.systemPermissions }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  }
}

export function userView(reader: OrgReader, row: UserRow, now: string): UserView {
  return viewOf(row, reader.signIns.lastTimes(), invitationsOf(reader, now))
}

export function groupView(row: GroupRow): GroupView {
  return { ...row, version: versionOf({ ...row }) }
}

function viewOf(
  row: UserRow,
  signedIn: ReadonlyMap<string, string>,
  invited: ReadonlyMap<string, OpenInvitation>,
): UserView {
  const shown = redactUser(row)
  return {
    ...shown,
    version: versionOf(shown),
    lastSignIn: signedIn.get(row.key) ?? null,
    invitation: invited.get(row.key) ?? null,
  }
}

function invitationsOf(reader: OrgReader, now: string): Map<string, OpenInvitation> {
  return new Map(openInvitations(reader, now).map(({ user, ...invitation }) => [user, invitation]))
}
