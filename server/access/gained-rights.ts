// The rights that a change to one component gives to one user beyond those that they had.
import type { Component } from '#kernel/components/body-types.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { assignedSets } from './assigned-sets.ts'
import { grantsOf } from './grants.ts'

/**
 * For example, `system permission platform.root` or `edit:tax_editors`. Grants of a new set or flag open nothing that
 * was closed before, so they do not count.
 */
export function gainedRightsOf(
  reader: Pick<OrgReader, 'people'>,
  user: string,
  before: Component | undefined,
  after: Component | undefined,
): string[] {
  if (after === undefined) return []
  const isSet = after.type === 'permission_set'
  if (before === undefined && !isSet) return []
  const rights = isSet ? rightsOf : grantsOf
  const had = new Set(before === undefined ? [] : rights(before))
  const added = rights(after).filter((right) => !had.has(right))
  // Thousands of changes are checked, and most open nothing.
  if (added.length === 0) return []
  const row = reader.people.user(user)
  const held = new Set(row === undefined ? [] : assignedSets(reader.people, row))
  if (isSet) return held.has(after.key) || (before !== undefined && held.has(before.key)) ? added : []
  return added.filter((grant) => held.has(grant.slice(grant.indexOf(':') + 1)))
}

function rightsOf(component: Component): string[] {
  if (component.type !== 'permission_set') return []
  const { systemPermissions, objects, fields } = component.body
  const rightNames = (rights: Record<string, Record<string, boolean>>): string[] =>
    Object.entries(rights).flatMap(([key, each]) =>
      Object.entries(each).flatMap(([right, has]) => (has ? [`${right} on ${key}`] : [])),
    )
  return [...systemPermissions, ...rightNames(objects), ...rightNames(fields)]
}
