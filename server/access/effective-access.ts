// What a user can do: the union of the permission sets assigned to them, and nothing else (docs/reference/access.md).
import type { PermissionSetBody } from '#kernel/components/permission-set/body.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { assignedSets } from './assigned-sets.ts'
import { grantIndexOf } from './grants.ts'
import { namedTarget, targetName } from './named-target.ts'

export type ObjectRights = PermissionSetBody['objects'][string]
export type FieldRights = PermissionSetBody['fields'][string]

export interface EffectiveAccess {
  user: string
  /** The sets that are assigned and exist, ascending. */
  permissionSets: readonly string[]
  system: ReadonlySet<SystemPermission>
  /** Sets and flags with a read grant, or with an edit grant, which includes reading. */
  readSets: ReadonlySet<string>
  editSets: ReadonlySet<string>
  objects: Readonly<Record<string, ObjectRights>>
  /** By `<object>.<field>`. */
  fields: Readonly<Record<string, FieldRights>>
  /** Holds platform.root, the only bypass in the platform. */
  platformRoot: boolean
}

/**
 * The access of one user over one view. An inactive user has no access.
 * @throws AlmanacError `user.not_found`.
 */
export function effectiveAccess(
  reader: Pick<OrgReader, 'people'>,
  userKey: string,
  view: ComponentView,
): EffectiveAccess {
  const user = reader.people.user(userKey)
  if (user === undefined)
    throw new AlmanacError('user.not_found', `The user "${userKey}" does not exist in this org.`)
  return accessFromSets(userKey, user.active ? assignedSets(reader.people, user) : [], view)
}

/** The access that a list of permission sets grants. A set that the view does not have grants nothing. */
export function accessFromSets(
  user: string,
  assigned: readonly string[],
  view: ComponentView,
): EffectiveAccess {
  const permissionSets = [...new Set(assigned)].sort().filter((key) => view.has('permission_set', key))
  const bodies = permissionSets.map((key) => view.get('permission_set', key)!.body)
  const system = new Set(bodies.flatMap(({ systemPermissions }) => systemPermissions))
  return {
    user,
    permissionSets,
    system,
    // Computed on demand: most checks are about one set and look only at that.
    get readSets() {
      return new Set([
        ...grantedSets(view, permissionSets, 'read'),
        ...grantedSets(view, permissionSets, 'edit'),
      ])
    },
    get editSets() {
      return grantedSets(view, permissionSets, 'edit')
    },
    objects: unionRights(
      bodies.map(({ objects }) => objects),
      (name) => currentName(view, name),
    ),
    fields: unionRights(
      bodies.map(({ fields }) => fields),
      (name) => currentName(view, name),
    ),
    platformRoot: system.has('platform.root'),
  }
}

function grantedSets(view: ComponentView, held: readonly string[], right: 'read' | 'edit'): Set<string> {
  const index = grantIndexOf(view)
  return new Set(held.flatMap((key) => [...(index.get(key)?.[right] ?? [])]))
}

/** Whether a system permission is held; platform.root includes all of them. */
export function hasPermission(access: EffectiveAccess, permission: SystemPermission): boolean {
  return access.platformRoot || access.system.has(permission)
}

/** @throws AlmanacError `access.denied` naming the permission and its purpose, as in "to add a user". */
export function requirePermission(
  access: EffectiveAccess,
  permission: SystemPermission,
  purpose: string,
): void {
  if (hasPermission(access, permission)) return
  throw new AlmanacError(
    'access.denied',
    `${access.user} needs the permission ${permission} ${purpose}. A user with access.manage can assign a permission set that has it.`,
    { details: [{ id: `user/${access.user}`, permission }] },
  )
}

/** The keys of an object or a field: a permission set can name them by former names. */
function currentName(view: ComponentView, name: string): string {
  const target = namedTarget(view, name)
  return target === null ? name : targetName(target)
}

function unionRights<R extends Readonly<Record<keyof R, boolean>>>(
  rights: readonly Readonly<Record<string, R>>[],
  keyOf: (name: string) => string,
): Record<string, R> {
  const all: Record<string, R> = {}
  for (const [name, rightsOfThing] of rights.flatMap((byThing) => Object.entries(byThing))) {
    const thing = keyOf(name)
    const sum = { ...(all[thing] ?? rightsOfThing) } as Record<string, boolean>
    for (const [right, held] of Object.entries(rightsOfThing))
      sum[right] = held === true || sum[right] === true
    all[thing] = sum as R
  }
  return all
}
