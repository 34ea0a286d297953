// What differs between two generations, with words, renames as the audit remembers them (specification 4.5, 5.5).
import { diffValues, OverlayView, type Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { roomOf } from '#kernel/components/registry.ts'
import type { ActorSight } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { ChangeRow } from './request.ts'
import { rowsOf, type Rows } from './rows.ts'
import { idShown } from './shown.ts'
import { rowOf } from './told.ts'

export interface PastChanges {
  /** Read one by one, as they are asked for. */
  changes: Rows<ChangeRow>
  /** How many there are, where the list is cut. */
  total: number
}

/**
 * Changes that lead from one generation to another, in the order of ids, as far as somebody may see them. Over more
 * than one generation a rename shows as removed and added. @throws AlmanacError `generation.not_found`
 */
export function pastChanges(
  reader: OrgReader,
  from: number,
  to: number,
  sight: ActorSight | null,
  most = Infinity,
): PastChanges {
  // Each of many entries asks for the same few definitions, which these keep.
  const [before, after] = [new OverlayView(reader.view(from)), new OverlayView(reader.view(to))]
  const differing = reader.changedBetween(from, to).filter((id) => idShown(id, sight))
  const renamed = from === to - 1 ? renamesIn(reader, to, new Set(differing)) : new Map<never, never>()
  const gone = new Set<ComponentId>(renamed.values())
  const ids = gone.size === 0 ? differing : differing.filter((id) => !gone.has(id))
  const changes = rowsOf(ids.slice(0, most), (id): ChangeRow => {
    const change = changeOf(id, renamed.get(id) ?? id, before, after)
    return rowOf(change, change.kind === 'removed' ? before : after, [], undefined)
  })
  return { changes, total: ids.length }
}

export function changeOf(
  id: ComponentId,
  from: ComponentId,
  before: OverlayView,
  after: OverlayView,
): Change {
  const [old, now] = [splitId(from), splitId(id)]
  const was = before.get(old.type, old.key) as Component | undefined
  const is = after.get(now.type, now.key) as Component | undefined
  if (is === undefined) return { kind: 'removed', id, before: was! }
  if (was === undefined) return { kind: 'added', id, after: is, hints: {} }
  const both = {
    id,
    before: was,
    after: is,
    values: diffValues(was, is, roomOf(now.type).itemKeys),
    hints: {},
  }
  return from === id ? { kind: 'changed', ...both } : { kind: 'renamed', from, ...both }
}

/** New id → old id of what was taken away under one key and came under another. */
function renamesIn(
  reader: OrgReader,
  generation: number,
  differing: ReadonlySet<ComponentId>,
): Map<ComponentId, ComponentId> {
  const renames = new Map<ComponentId, ComponentId>()
  const limit = reader.generation(generation)?.counts.renamed ?? 0
  if (limit === 0) return renames
  for (const { component, before } of reader.audit({ generation, kind: 'renamed', limit })) {
    const { type, key } = (before ?? {}) as { type?: string; key?: string }
    const [id, from] = [component as ComponentId, `${type}/${key}` as ComponentId]
    const moved =
      differing.has(id) &&
      differing.has(from) &&
      reader.digestOf(generation - 1, id) === undefined &&
      reader.digestOf(generation, from) === undefined
    if (moved) renames.set(id, from)
  }
  return renames
}

/** The id that a component had until this generation gave it another; null where it did not. */
export function renamedFromIn(reader: OrgReader, generation: number, id: ComponentId): ComponentId | null {
  if ((reader.generation(generation)?.counts.renamed ?? 0) === 0) return null
  const [row] = reader.audit({ component: id, generation, kind: 'renamed', limit: 1 })
  const { type, key } = (row?.before ?? {}) as { type?: string; key?: string }
  return type === undefined ? null : (`${type}/${key}` as ComponentId)
}
