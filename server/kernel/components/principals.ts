// Checks that users and groups in components exist and are active; they are runtime state
// (docs/reference/resolution-and-dates.md).
import { didYouMean } from '../errors/suggest.ts'
import type { PrincipalDirectory } from './define.ts'

/** Returns null if the user is active; otherwise what is wrong and how to fix it, in a sentence. */
export function explainUser(user: string, principals: PrincipalDirectory): string | null {
  const state = principals.user(user)
  if (state === 'live') return null
  if (state === 'inactive')
    return `The user "${user}" is inactive. Choose an active user, or activate this one.`
  return `The user "${user}" does not exist.${didYouMean(user, principals.userKeys())}`
}

/** The same for a group. */
export function explainGroup(group: string, principals: PrincipalDirectory): string | null {
  if (principals.group(group) === 'live') return null
  return `The group "${group}" does not exist.${didYouMean(group, principals.groupKeys())}`
}
