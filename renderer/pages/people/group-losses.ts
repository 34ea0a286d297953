// What the members of a group lose if it is deleted: permission sets that they hold through it alone.
import type { PeopleView, UserView } from '../../api/people.ts'

export interface GroupLoss {
  permissionSet: string
  users: UserView[]
}

export function lossesOf({ users, groups }: PeopleView, key: string): GroupLoss[] {
  const setsOf = new Map(groups.map((group) => [group.key, group.permissionSets]))
  const members = users.filter((user) => user.groups.includes(key))
  return (setsOf.get(key) ?? []).flatMap((permissionSet) => {
    const losing = members.filter(
      (user) =>
        !user.permissionSets.includes(permissionSet) &&
        !user.groups.some((each) => each !== key && setsOf.get(each)?.includes(permissionSet)),
    )
    return losing.length === 0 ? [] : [{ permissionSet, users: losing }]
  })
}

/** Maximum number of names that one sentence lists. */
const mostNames = 5

/** "Mara Lind, Tom and 3 more lose Rate authors." */
export function lossWords({ users }: GroupLoss, label: string): string {
  const names = users.slice(0, mostNames).map(({ name }) => name)
  const rest = users.length - names.length
  const who = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
  return `${who} ${users.length === 1 ? 'loses' : 'lose'} ${label}.`
}
