// Active users and groups that can be owners, searched on the server by the beginning of a key or of a word of a name.
import type { LookupSearch } from '../../elements/index.ts'
import { fetchLivePrincipals } from '../api/org.ts'

/** Values such as `user:mara` and `group:tax`, labelled with the name. */
export const ownerSource: LookupSearch = async (query, { signal }) => {
  const { users, groups } = await fetchLivePrincipals(query.trim().replace(/^(user|group):/, ''), signal)
  return [
    ...users.map(({ key, name }) => ({
      value: `user:${key}`,
      label: `user:${key}`,
      fields: { label: name },
    })),
    ...groups.map(({ key, name }) => ({
      value: `group:${key}`,
      label: `group:${key}`,
      fields: { label: name },
    })),
  ]
}
