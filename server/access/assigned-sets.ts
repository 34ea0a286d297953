// The permission sets of a user: their own, and those of their groups (docs/decisions.md). The only place that decides
// it.
import type { OrgReader, UserRow } from '../ports/org-store.ts'
import type { SetAssignment } from '#wire/people.ts'

type Member = Pick<UserRow, 'groups' | 'permissionSets'>

/** Each permission set once, ascending, with every way in which it is assigned. */
export function assignmentsOf(reader: Pick<OrgReader, 'group'>, user: Member): SetAssignment[] {
  const found = new Map(
    user.permissionSets.map((key): [string, SetAssignment] => [
      key,
      { permissionSet: key, direct: true, groups: [] },
    ]),
  )
  for (const group of user.groups)
    for (const key of reader.group(group)?.permissionSets ?? []) {
      const assignment = found.get(key) ?? { permissionSet: key, direct: false, groups: [] }
      found.set(key, { ...assignment, groups: [...assignment.groups, group] })
    }
  return [...found.values()].sort((a, b) => (a.permissionSet < b.permissionSet ? -1 : 1))
}

export function assignedSets(reader: Pick<OrgReader, 'group'>, user: Member): string[] {
  return assignmentsOf(reader, user).map(({ permissionSet }) => permissionSet)
}

/** All users, with the permission sets of their groups added to their own. */
export function usersWithAllSets(reader: Pick<OrgReader, 'groups' | 'users'>): UserRow[] {
  // Each group is read once, however many members it has.
  const groups = new Map(reader.groups().map((group) => [group.key, group]))
  const known = { group: (key: string) => groups.get(key) }
  return reader.users().map((user) => ({ ...user, permissionSets: assignedSets(known, user) }))
}
