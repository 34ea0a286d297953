// What differs between two generations, as a change list: for the history and for diff --from --to (specification 4.5).
import { diffValues, type Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { roomOf } from '#kernel/components/registry.ts'
import type { OrgReader } from '../ports/org-store.ts'

/**
 * Changes that lead from one generation to another, in the order of ids; a rename shows as removed and added.
 * `ids`: only these of the components that differ, since each of them is read twice.
 */
export function generationChanges(
  reader: OrgReader,
  from: number,
  to: number,
  ids: readonly ComponentId[] = reader.changedBetween(from, to),
): Change[] {
  const [before, after] = [reader.view(from), reader.view(to)]
  return ids.map((id): Change => {
    const { type, key } = splitId(id)
    const [was, is] = [before.get(type, key), after.get(type, key)] as (Component | undefined)[]
    if (is === undefined) return { kind: 'removed', id, before: was! }
    if (was === undefined) return { kind: 'added', id, after: is, hints: {} }
    const values = diffValues(was, is, roomOf(type).itemKeys)
    return { kind: 'changed', id, before: was, after: is, values, hints: {} }
  })
}
