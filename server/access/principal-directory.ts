// Users and groups as rules read them: owners of flags, scopes, runAs (docs/reference/resolution-and-dates.md).
import type { PrincipalDirectory } from '#kernel/components/define.ts'
import type { OrgReader } from '../ports/org-store.ts'

/** A directory over a reader; it reads on demand and keeps no copy. */
export function directoryOf(reader: Pick<OrgReader, 'people'>): PrincipalDirectory {
  return {
    user: (key) => {
      const user = reader.people.user(key)
      return user === undefined ? undefined : user.active ? 'live' : 'inactive'
    },
    group: (key) => (reader.people.group(key) === undefined ? undefined : 'live'),
    userKeys: () => reader.people.users().map(({ key }) => key),
    groupKeys: () => reader.people.groups().map(({ key }) => key),
  }
}
