// Reports what one user can see and do, and through which permission sets and groups (docs/reference/access.md).
import {
  systemPermissions,
  type SystemPermission,
} from '#kernel/components/permission-set/system-permissions.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { AccessReport, RightView, SetRightsView } from '#wire/people.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { assignmentsOf } from './assigned-sets.ts'
import { accessFromSets, requirePermission, hasPermission, type EffectiveAccess } from './effective-access.ts'
import { grantingSets } from './grants.ts'
import { visibilityIn } from './visibility.ts'

/**
 * The effective access of a user over one view, as far as `requester` may know it; null for the operator of the folder.
 * @throws AlmanacError `user.not_found`; `access.denied` if `requester` is a different user without access.manage.
 */
export function accessReport(
  requester: EffectiveAccess | null,
  reader: Pick<OrgReader, 'people'>,
  userKey: string,
  view: ComponentView,
): AccessReport {
  if (requester !== null && requester.user !== userKey)
    requirePermission(requester, 'access.manage', `to see what ${userKey} can do`)
  const user = reader.people.user(userKey)
  if (user === undefined)
    throw new AlmanacError('user.not_found', `The user "${userKey}" does not exist in this org.`)
  const { key, name, active } = user
  const assignments = active
    ? assignmentsOf(reader.people, user).filter((each) => view.has('permission_set', each.permissionSet))
    : []
  const access = accessFromSets(
    key,
    assignments.map(({ permissionSet }) => permissionSet),
    view,
  )
  return {
    user: { key, name, active },
    assignments: assignments.map((each) => ({
      ...each,
      label: view.get('permission_set', each.permissionSet)?.label ?? each.permissionSet,
    })),
    system: systemPermissions.map((permission) => systemRight(access, view, permission)),
    sets: setRights(requester, access, view),
    ...grantedThings(access, view),
  }
}

function systemRight(access: EffectiveAccess, view: ComponentView, right: SystemPermission): RightView {
  const gives = (key: string): boolean => {
    const held = view.get('permission_set', key)?.body.systemPermissions
    return held?.includes(right) === true || held?.includes('platform.root') === true
  }
  return { right, through: access.permissionSets.filter(gives) }
}

function setRights(
  requester: EffectiveAccess | null,
  access: EffectiveAccess,
  view: ComponentView,
): SetRightsView[] {
  const requesterVisibility = requester === null ? null : visibilityIn(requester, view)
  const viewer = visibilityIn(access, view)
  const root = systemRight(access, view, 'platform.root').through
  const setsWithDefinitionRights = (['metadata.author', 'access.manage'] as const).flatMap(
    (right) => systemRight(access, view, right).through,
  )
  const rightsOf = (key: string) => {
    const read = grantingSets(view, key, 'read', access.permissionSets)
    const edit = grantingSets(view, key, 'edit', access.permissionSets)
    return {
      see: [...new Set([...root, ...read, ...edit, ...setsWithDefinitionRights])],
      read: [...new Set([...root, ...read, ...edit])],
      edit: [...new Set([...root, ...edit])],
    }
  }
  return (['config_set', 'feature_flag'] as const)
    .flatMap((type) => [...view.list(type)].map(({ key, label }) => ({ key, label, type })))
    .filter(({ key }) => requesterVisibility?.canSeeDefinition(key) !== false)
    .map(({ key, label, type }): SetRightsView => {
      const through = rightsOf(key)
      const missing = [
        ...(hasPermission(access, 'config.author') ? [] : ['config.author']),
        ...(through.edit.length > 0 ? [] : [`edit:${key}`]),
      ]
      return {
        ...{ key, type, label, missing },
        sees: viewer.canSeeValues(key) ? 'values' : viewer.canSeeDefinition(key) ? 'definition' : 'nothing',
        canEdit: missing.length === 0,
        rights: Object.entries(through).map(([right, sets]) => ({ right, through: sets })),
      }
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Rights on objects and fields, each with the permission sets that contain it. */
function grantedThings(
  access: EffectiveAccess,
  view: ComponentView,
): Pick<AccessReport, 'objects' | 'fields'> {
  const things = (part: 'objects' | 'fields'): AccessReport['objects'] => {
    const rightsByThing = new Map<string, Map<string, string[]>>()
    for (const set of access.permissionSets)
      for (const [thing, rights] of Object.entries(view.get('permission_set', set)?.body[part] ?? {}))
        for (const [right, held] of Object.entries(rights)) {
          if (held !== true) continue
          const byRight = rightsByThing.get(thing) ?? new Map<string, string[]>()
          byRight.set(right, [...(byRight.get(right) ?? []), set])
          rightsByThing.set(thing, byRight)
        }
    return [...rightsByThing]
      .map(([key, rights]) => ({
        key,
        rights: [...rights].map(([right, through]) => ({ right, through })),
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  }
  return { objects: things('objects'), fields: things('fields') }
}
