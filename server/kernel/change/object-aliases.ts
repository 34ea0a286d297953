// The permanent alias of a renamed object: its old key keeps resolving until it is retired.
import type { Component } from '../components/body-types.ts'
import type { ComponentId } from '../components/component.ts'
import type { WantedRename } from './wanted-renames.ts'

/** The given components, each renamed object with its old key among its aliases even where its text omits it. */
export function withAliases(
  given: ReadonlyMap<ComponentId, Component>,
  wanted: readonly WantedRename[],
): Map<ComponentId, Component> {
  const written = new Map(given)
  for (const { id, old, from } of wanted) {
    const component = written.get(id)
    // In a swap or a chain, another object of the list has the old key from now on.
    if (component?.type !== 'object' || id === old || given.has(old)) continue
    const aliases = [...new Set([...component.body.aliases, from])].sort()
    written.set(id, { ...component, body: { ...component.body, aliases } })
  }
  return written
}
