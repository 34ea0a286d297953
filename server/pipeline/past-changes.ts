// The differences between two generations, with words and with renames as recorded in the audit.
import { diffValues, OverlayView, type Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { itemKeysOf } from '#kernel/components/item-keys.ts'
import type { Viewer } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { ChangeRow } from './request.ts'
import { lazyMap, type LazyList } from './lazy-list.ts'
import { isIdVisible, narrowView, viewerAt } from './id-visibility.ts'
import { rowOf } from './change-redaction.ts'

export interface PastChanges {
  /** Read lazily, one by one. */
  changes: LazyList<ChangeRow>
  /** The total number of changes, because the list can be truncated. */
  total: number
}

/**
 * Returns the changes from one generation to another, ordered by id, as far as the viewer can see them. Renames
 * are followed over all generations between. @throws AlmanacError `generation.not_found`
 */
export function pastChanges(
  reader: OrgReader,
  from: number,
  to: number,
  viewer: Viewer | null,
  most = Infinity,
): PastChanges {
  const then = { from: viewerAt(reader, viewer, from), to: viewerAt(reader, viewer, to) }
  // Each of many entries needs the same few definitions, which these views cache.
  const before = new OverlayView(narrowView(reader.generations.view(from), then.from))
  const after = new OverlayView(narrowView(reader.generations.view(to), then.to))
  const differing = reader.components
    .changedBetween(from, to)
    .filter(
      (id) => (isIdVisible(id, then.to) && has(after, id)) || (isIdVisible(id, then.from) && has(before, id)),
    )
  const sources = sourcesBetween(reader, from, to, then)
  const gone = new Set<ComponentId | null>(sources.values())
  const ids = gone.size === 0 ? differing : differing.filter((id) => !gone.has(id) || has(after, id))
  const changes = lazyMap(ids.slice(0, most), (id): ChangeRow => {
    const change = changeOf(id, sources.has(id) ? sources.get(id)! : id, before, after)
    return rowOf(change, change.kind === 'removed' ? before : after, [], undefined)
  })
  return { changes, total: ids.length }
}

export function changeOf(
  id: ComponentId,
  /** The component's id before; null if another component had that id. */
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
    values: diffValues(was, is, itemKeysOf(now.type)),
    hints: {},
  }
  return from === id ? { kind: 'changed', ...both } : { kind: 'renamed', from, ...both }
}

/**
 * Id after → id before of what was renamed, as far as both are shown; null for what took the key of a renamed
 * component.
 */
function sourcesBetween(
  reader: Pick<OrgReader, 'identities'>,
  from: number,
  to: number,
  then: { from: Viewer | null; to: Viewer | null },
): Map<ComponentId, ComponentId | null> {
  const moved = reader.identities.keyMovesBetween(Math.min(from, to), Math.max(from, to))
  const pairs = [...moved].flatMap(([older, newer]): [ComponentId, ComponentId][] => {
    if (newer === null) return []
    const [old, id] = from < to ? [older, newer] : [newer, older]
    return isIdVisible(old, then.from) && isIdVisible(id, then.to) ? [[old, id]] : []
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

/** The id that a component had before this generation renamed it; null if it did not. */
export function idBeforeRename(
  reader: Pick<OrgReader, 'audit' | 'generations'>,
  generation: number,
  id: ComponentId,
): ComponentId | null {
  if ((reader.generations.get(generation)?.counts.renamed ?? 0) === 0) return null
  const [row] = reader.audit.list({ component: id, generation, kind: 'renamed', limit: 1 })
  const { type, key } = (row?.before ?? {}) as { type?: string; key?: string }
  return type === undefined ? null : (`${type}/${key}` as ComponentId)
}
