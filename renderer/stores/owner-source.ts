// People and groups that can own something now, as the server finds them: by what begins a key or a word of a name.
import type { LookupSearch } from '../../elements/index.ts'
import { fetchLivePrincipals } from '../api/org.ts'

/** Names as `user:mara` and `group:tax`, labelled by whom they mean. */
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
