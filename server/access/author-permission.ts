// Drafts belong to users who can author something; each change names what its apply requires.
import { authorPermissions } from '#kernel/components/permission-set/system-permissions.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasPermission, type EffectiveAccess } from './effective-access.ts'

export function canAuthor(access: EffectiveAccess): boolean {
  return authorPermissions.some((permission) => hasPermission(access, permission))
}

/** @throws AlmanacError `access.denied`. */
export function requireAuthorPermission(access: EffectiveAccess): void {
  if (canAuthor(access)) return
  throw new AlmanacError(
    'access.denied',
    `${access.user} cannot author. Drafts need metadata.author, config.author or access.manage; a user with access.manage can assign a permission set that has one.`,
    { details: [{ id: `user/${access.user}`, permission: 'config.author' }] },
  )
}
