// The names of users, if known.
import { useCatalogue } from './catalogue.ts'

/** The name of a user by key; the key itself if the user no longer exists. */
export function useNames(): (key: string) => string {
  const catalogue = useCatalogue()
  return (key) => catalogue.people().users.find((user) => user.key === key)?.name ?? key
}
