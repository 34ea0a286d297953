// Active users and groups, searched on the server by the beginning of a key or of a word of a name.
import type { LookupOption, LookupSearch } from '../../elements/index.ts'
import { fetchLivePrincipals } from '../api/org.ts'

/** Owners: values such as `user:mara` and `group:tax`, labelled with the name. */
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

/** Users by their keys, labelled with the name. */
export async function userSource(
  query: string,
  { signal }: Parameters<LookupSearch>[1],
): Promise<LookupOption[]> {
  const { users } = await fetchLivePrincipals(query.trim(), signal)
  return users.map(({ key, name }) => ({ value: key, label: key, fields: { label: name } }))
}
