// Explains why a user can or cannot do something with one component: every way to each right
// (docs/reference/access.md).
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'
import { roomOf } from '#kernel/components/registry.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { requirePermission, type EffectiveAccess } from './effective-access.ts'
import { grantingSets } from './grants.ts'
import { visibilityIn } from './visibility.ts'

export interface ExplainedRight {
  /** What the user may do: see, read values, edit, change grants. */
  right: 'see' | 'read_values' | 'edit' | 'change_grants'
  held: boolean
  /** What grants it: `permission_set/<key>` of a grant or of a system permission, or `everybody`. */
  through: string[]
  /** What is missing, as permissions: `config.author`, `edit:vat_rate`. Empty if the right is held. */
  missing: string[]
}

export interface ExplainedAccess {
  user: string
  component: ComponentId
  rights: ExplainedRight[]
}

/**
 * Returns the rights of `access` on one component, as far as `requester` may know them.
 * @returns null if the view has no such component, or none that `requester` can see.
 * @throws AlmanacError `access.denied` if a user without access.manage asks about another user.
 */
export function explainAccess(
  requester: EffectiveAccess,
  access: EffectiveAccess,
  id: ComponentId,
  view: ComponentView,
): ExplainedAccess | null {
  if (requester.user !== access.user)
    requirePermission(requester, 'access.manage', `to see what ${access.user} can do`)
  const { type, key } = splitId(id)
  const component = view.get(type, key) as Component | undefined
  if (component === undefined || !visibilityIn(requester, view).canSeeComponent(component)) return null
  const set =
    component.type === 'config_entry'
      ? component.body.set
      : component.type === 'config_set' || component.type === 'feature_flag'
        ? component.key
        : null
  const explain = explainer(access, view)
  const readers = [`read:${set}`, `edit:${set}`]
  const rights = [
    set === null
      ? ({ right: 'see', held: true, through: ['everybody'], missing: [] } satisfies ExplainedRight)
      : explain('see', [
          type === 'config_entry' ? readers : [...readers, 'metadata.author', 'access.manage'],
        ]),
  ]
  if (set !== null) rights.push(explain('read_values', [readers]))
  const author: string[][] = [[roomOf(type).author]]
  if (type === 'config_entry' || type === 'feature_flag') author.push([`edit:${set}`])
  rights.push(explain('edit', author))
  if (type !== 'config_entry') rights.push(explain('change_grants', [['access.manage']]))
  return { user: access.user, component: id, rights }
}

type Explain = (right: ExplainedRight['right'], every: readonly (readonly string[])[]) => ExplainedRight

/** All conditions in `every` are required; for each condition, any alternative is enough. */
function explainer(access: EffectiveAccess, view: ComponentView): Explain {
  return (right, every) => {
    const root = throughSystem(access, view, 'platform.root')
    const grants = every.map((alternatives) => alternatives.flatMap((need) => grantsFor(access, view, need)))
    const held = root.length > 0 || grants.every((through) => through.length > 0)
    const missing = every.filter((_, index) => grants[index]!.length === 0).map(([first]) => first!)
    return {
      right,
      held,
      through: [...new Set([...root, ...grants.flat()])],
      missing: held ? [] : missing,
    }
  }
}

function grantsFor(access: EffectiveAccess, view: ComponentView, need: string): string[] {
  const grant = /^(read|edit):(.+)$/.exec(need)
  if (grant === null) return throughSystem(access, view, need as SystemPermission)
  return grantingSets(view, grant[2]!, grant[1] as 'read' | 'edit', access.permissionSets).map(
    (key) => `permission_set/${key}`,
  )
}

function throughSystem(access: EffectiveAccess, view: ComponentView, permission: SystemPermission): string[] {
  return access.permissionSets
    .filter((key) => view.get('permission_set', key)?.body.systemPermissions.includes(permission))
    .map((key) => `permission_set/${key}`)
}
