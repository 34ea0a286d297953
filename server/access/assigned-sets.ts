// The permission sets of a user: their own, and those of their groups (docs/decisions.md). No other module decides
// that.
import type { PeopleReader, UserRow } from '../ports/people.ts'
import type { SetAssignment } from '#wire/people.ts'

type Member = Pick<UserRow, 'groups' | 'permissionSets'>

/** Each permission set once, ascending, with every way in which it is assigned. */
export function assignmentsOf(people: Pick<PeopleReader, 'group'>, user: Member): SetAssignment[] {
  const assignments = new Map(
    user.permissionSets.map((key): [string, SetAssignment] => [
      key,
      { permissionSet: key, direct: true, groups: [] },
    ]),
  )
  for (const group of user.groups)
    for (const key of people.group(group)?.permissionSets ?? []) {
      const assignment = assignments.get(key) ?? { permissionSet: key, direct: false, groups: [] }
      assignments.set(key, { ...assignment, groups: [...assignment.groups, group] })
    }
  return [...assignments.values()].sort((a, b) => (a.permissionSet < b.permissionSet ? -1 : 1))
}

export function assignedSets(people: Pick<PeopleReader, 'group'>, user: Member): string[] {
  return assignmentsOf(people, user).map(({ permissionSet }) => permissionSet)
}

/** All users, with the permission sets of their groups added to their own. */
export function usersWithAllSets(people: Pick<PeopleReader, 'groups' | 'users'>): UserRow[] {
  // Each group is read once, however many members it has.
  const groups = new Map(people.groups().map((group) => [group.key, group]))
  const known = { group: (key: string) => groups.get(key) }
  return people.users().map((user) => ({ ...user, permissionSets: assignedSets(known, user) }))
}
