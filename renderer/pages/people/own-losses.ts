// What users would take from themselves with a change to their own access: they can be unable to give it back.
import { listWords } from '../../text/words.ts'
import type { PeopleView, UserView } from '../../api/people.ts'

type Assigned = Pick<UserView, 'permissionSets' | 'groups'>

/** The keys of the permission sets that a user holds, directly and through groups. */
function held({ permissionSets, groups }: Assigned, people: Pick<PeopleView, 'groups'>): Set<string> {
  const through = people.groups
    .filter(({ key }) => groups.includes(key))
    .flatMap((group) => group.permissionSets)
  return new Set([...permissionSets, ...through])
}

/** The permission sets that the user no longer holds after a change of their assignments, or of groups. */
export function ownLosses(
  { before, after }: { before: Assigned; after: Assigned },
  people: { before: Pick<PeopleView, 'groups'>; after: Pick<PeopleView, 'groups'> },
): string[] {
  const kept = held(after, people.after)
  return [...held(before, people.before)].filter((key) => !kept.has(key))
}

export const lossQuestion = (labels: readonly string[]): string =>
  `You lose ${listWords(labels)}. You might be unable to give yourself this access again.`
