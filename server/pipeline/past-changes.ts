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
 * Changes that lead from one generation to another, in the order of ids, as far as somebody may see them. Renames
 * are followed over all the generations between. @throws AlmanacError `generation.not_found`
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
  const sources = sourcesBetween(reader, from, to, sight)
  const gone = new Set<ComponentId | null>(sources.values())
  const ids = gone.size === 0 ? differing : differing.filter((id) => !gone.has(id) || has(after, id))
  const changes = rowsOf(ids.slice(0, most), (id): ChangeRow => {
    const change = changeOf(id, sources.has(id) ? sources.get(id)! : id, before, after)
    return rowOf(change, change.kind === 'removed' ? before : after, [], undefined)
  })
  return { changes, total: ids.length }
}

export function changeOf(
  id: ComponentId,
  /** Its id before; null if a different component had that. */
  from: ComponentId | null,
  before: OverlayView,
  after: OverlayView,
): Change {
  const now = splitId(id)
  const was = from === null ? undefined : (componentAt(before, from) as Component | undefined)
  const is = after.get(now.type, now.key) as Component | undefined
  if (is === undefined) return { kind: 'removed', id, before: was! }
  if (was === undefined || from === null) return { kind: 'added', id, after: is, hints: {} }
  const both = {
    id,
    before: was,
    after: is,
    values: diffValues(was, is, roomOf(now.type).itemKeys),
    hints: {},
  }
  return from === id ? { kind: 'changed', ...both } : { kind: 'renamed', from, ...both }
}

/**
 * Id after → id before of what was renamed, as far as both are shown; null for what took the key of a renamed component.
 */
function sourcesBetween(
  reader: OrgReader,
  from: number,
  to: number,
  sight: ActorSight | null,
): Map<ComponentId, ComponentId | null> {
  const moved = reader.movedBetween(Math.min(from, to), Math.max(from, to))
  const pairs = [...moved].flatMap(([older, newer]): [ComponentId, ComponentId][] => {
    if (newer === null || !idShown(older, sight) || !idShown(newer, sight)) return []
    return [from < to ? [older, newer] : [newer, older]]
  })
  const sources = new Map<ComponentId, ComponentId | null>(pairs.map(([old, id]) => [id, old]))
  for (const [old] of pairs) if (!sources.has(old)) sources.set(old, null)
  return sources
}

function has(view: OverlayView, id: ComponentId): boolean {
  return componentAt(view, id) !== undefined
}

function componentAt(view: OverlayView, id: ComponentId): unknown {
  const { type, key } = splitId(id)
  return view.get(type, key)
}

/** The id that a component had until this generation gave it another; null where it did not. */
export function renamedFromIn(reader: OrgReader, generation: number, id: ComponentId): ComponentId | null {
  if ((reader.generation(generation)?.counts.renamed ?? 0) === 0) return null
  const [row] = reader.audit({ component: id, generation, kind: 'renamed', limit: 1 })
  const { type, key } = (row?.before ?? {}) as { type?: string; key?: string }
  return type === undefined ? null : (`${type}/${key}` as ComponentId)
}
