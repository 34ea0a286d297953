// Permission sets that users hold: they follow the keys of the sets, and at least one user can always change rights
// (docs/reference/access.md).
import type { Change } from '#kernel/change/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { keyMovesOf, type KeyMoveHandler, type KeyMove } from '../ports/key-moves.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { UserRow } from '../ports/people.ts'
import { usersWithAllSets } from './assigned-sets.ts'
import { recordAudit } from './actor.ts'
import { accessFromSets, hasPermission } from './effective-access.ts'
import { redactUser } from './redacted-user.ts'

type UserPermissions = Pick<UserRow, 'key' | 'active' | 'permissionSets'>

/**
 * Runs in the transaction of the apply. Assignments end with their set; a later set with that key is a different one.
 */
export const followAssignments: KeyMoveHandler = (transactor, { moves, generation, ...by }) => {
  const keys = keyMovesOf(moves, 'permission_set')
  if (keys.size === 0) return
  const rationale = `Generation ${generation} renamed or removed a permission set.`
  for (const group of transactor.people.groups()) {
    const permissionSets = moveKeys(group.permissionSets, keys)
    if (permissionSets.join('\n') === group.permissionSets.join('\n')) continue
    const row = { ...group, permissionSets }
    transactor.people.putGroup(row)
    const fact = { component: `group/${group.key}`, kind: 'group.changed', rationale }
    recordAudit(transactor, by, by.at, { ...fact, before: { ...group }, after: { ...row } })
  }
  for (const user of transactor.people.users()) {
    const permissionSets = moveKeys(user.permissionSets, keys)
    if (permissionSets.join('\n') === user.permissionSets.join('\n')) continue
    const row = { ...user, permissionSets }
    transactor.people.putUser(row)
    recordAudit(transactor, by, by.at, {
      component: `user/${user.key}`,
      kind: 'user.changed',
      before: redactUser(user),
      after: redactUser(row),
      rationale,
    })
  }
}

function moveKeys(held: readonly string[], keys: ReadonlyMap<string, string | null>): string[] {
  return [...new Set(held.flatMap((key) => (keys.has(key) ? [keys.get(key)!].filter(Boolean) : [key])))]
}

/**
 * Users who can change rights: active users with access.manage or platform.root. `users` include the sets of their
 * groups.
 */
export function accessManagersOf(users: readonly UserPermissions[], view: ComponentView): string[] {
  return users
    .filter(({ active }) => active)
    .filter(({ key, permissionSets }) =>
      hasPermission(accessFromSets(key, permissionSets, view), 'access.manage'),
    )
    .map(({ key }) => key)
}

/**
 * Returns an error if a change list would leave no user who can change rights, because rights could then never be
 * restored.
 */
export function lockoutFindings(
  reader: Pick<OrgReader, 'people'>,
  changes: readonly Change[],
  moves: readonly KeyMove[],
  base: ComponentView | null,
  candidate: ComponentView,
): Finding[] {
  const own = changes.filter(({ id }) => id.startsWith('permission_set/'))
  if (base === null || own.length === 0) return []
  const users = usersWithAllSets(reader.people)
  const before = accessManagersOf(users, base)
  if (before.length === 0) return []
  const keys = keyMovesOf(moves, 'permission_set')
  const after = users.map((user) => ({ ...user, permissionSets: moveKeys(user.permissionSets, keys) }))
  if (accessManagersOf(after, candidate).length > 0) return []
  const held = new Set(
    users.flatMap(({ key, permissionSets }) => (before.includes(key) ? permissionSets : [])),
  )
  const takes = own.filter((change) => {
    const was = change.kind === 'added' ? undefined : change.before
    return was?.type === 'permission_set' && held.has(was.key) && canManageAccess(was.body.systemPermissions)
  })
  return (takes.length > 0 ? takes : own.slice(0, 1)).map(({ id, kind }) => ({
    severity: 'error',
    code: 'access.nobody_left',
    component: id,
    path: '',
    message:
      `access.manage is held only by ${formatUsers(before)}, through ${id}, which ${kind === 'removed' ? 'is removed' : 'loses it'}; ` +
      'after that, no user could change permissions. First assign another permission set with access.manage to an active user.',
    related: [],
  }))
}

function canManageAccess(permissions: readonly string[]): boolean {
  return permissions.includes('access.manage') || permissions.includes('platform.root')
}

function formatUsers(users: readonly string[]): string {
  const more = users.length > 3 ? ` and ${users.length - 3} more` : ''
  return `${users.slice(0, 3).join(', ')}${more}`
}
