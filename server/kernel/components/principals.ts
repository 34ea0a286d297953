// Users and groups that a component names must be live; they are runtime state (specification 2.5, 5.1).
import { didYouMean } from '../errors/suggest.ts'
import type { PrincipalDirectory } from './define.ts'

/** Null where the user is live; otherwise what is wrong and the way out, as one sentence. */
export function explainUser(user: string, principals: PrincipalDirectory): string | null {
  const state = principals.user(user)
  if (state === 'live') return null
  if (state === 'inactive')
    return `The user "${user}" is inactive. Name a live user, or make this one active again.`
  return `There is no user "${user}".${didYouMean(user, principals.userKeys())}`
}

/** The same for a group. */
export function explainGroup(group: string, principals: PrincipalDirectory): string | null {
  if (principals.group(group) === 'live') return null
  return `There is no group "${group}".${didYouMean(group, principals.groupKeys())}`
}
