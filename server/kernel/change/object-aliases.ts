// Adds the old key of a renamed object as an alias, which keeps resolving until it is removed.
import type { Component } from '../components/body-types.ts'
import type { ComponentId } from '../components/component.ts'
import type { RequestedRename } from './requested-renames.ts'

/** Returns the given components; each renamed object has its old key among its aliases, even if its text omits it. */
export function addRenameAliases(
  components: ReadonlyMap<ComponentId, Component>,
  requestedRenames: readonly RequestedRename[],
): Map<ComponentId, Component> {
  const written = new Map(components)
  for (const { id, oldId, from } of requestedRenames) {
    const component = written.get(id)
    // In a swap or a chain, another object of the list now has the old key.
    if (component?.type !== 'object' || id === oldId || components.has(oldId)) continue
    const aliases = [...new Set([...component.body.aliases, from])].sort()
    written.set(id, { ...component, body: { ...component.body, aliases } })
  }
  return written
}
