// Shows older content under today's keys: later renames are followed, so that it can be compared with the active
// content.
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { planRename, type ComponentRename } from '#kernel/graph/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

type ComponentLookup = (id: ComponentId) => Component | null

export interface RenamedViews {
  /** The view just before the generation. */
  before: ComponentLookup
  /** The view at the generation. */
  after: ComponentLookup
  active: ComponentLookup
}

export interface RenameHistory {
  /** Id at the generation → id now; null if another component has its name. */
  currentIds: ReadonlyMap<ComponentId, ComponentId | null>
  /** Id at the generation → id before it. */
  previousIds: ReadonlyMap<ComponentId, ComponentId>
  /** What is undone: these components return to the key that they had. */
  undoneIds: ReadonlySet<ComponentId>
}

export function renamedViews(
  reader: Pick<OrgReader, 'generations'>,
  generation: number,
  around: RenameHistory,
): RenamedViews {
  const { currentIds, previousIds, undoneIds } = around
  const moves = new Map<ComponentId, ComponentId>()
  for (const [id, now] of currentIds) if (now !== null && now !== id) moves.set(id, now)
  const earlier = new Map<ComponentId, ComponentId>()
  for (const [id, now] of moves) if (!previousIds.has(id)) earlier.set(id, now)
  for (const [id, old] of previousIds) if (!undoneIds.has(id)) earlier.set(old, moves.get(id) ?? id)
  return {
    before: underNewKeys(reader.generations.view(generation - 1), earlier),
    after: underNewKeys(reader.generations.view(generation), moves),
    active: underNewKeys(reader.generations.view(reader.generations.active()), new Map()),
  }
}

/** By the id that a component has in the view. */
function underNewKeys(view: ComponentView, moves: ReadonlyMap<ComponentId, ComponentId>): ComponentLookup {
  const plain: ComponentLookup = (id) => {
    const { type, key } = splitId(id)
    return (view.get(type, key) as Component | undefined) ?? null
  }
  if (moves.size === 0) return plain
  const { components } = planRename(view, renamesOf(moves))
  const rewritten = new Map(components.map((component) => [idOf(component), component]))
  return (id) => {
    const found = plain(id)
    return found === null ? null : (rewritten.get(newIdOf(id, moves)) ?? found)
  }
}

/** A set takes its entries along, so only entries that changed their own part of the key are renames themselves. */
function renamesOf(moves: ReadonlyMap<ComponentId, ComponentId>): ComponentRename[] {
  return [...moves].flatMap(([id, now]): ComponentRename[] => {
    const [from, to] = [splitId(id), splitId(now)]
    const along = from.type === 'config_entry' && ownerOf(from.key) !== ownerOf(to.key)
    return along ? [] : [{ type: from.type, from: from.key, to: to.key }]
  })
}

function newIdOf(id: ComponentId, moves: ReadonlyMap<ComponentId, ComponentId>): ComponentId {
  const own = moves.get(id)
  const { type, key } = splitId(id)
  if (own !== undefined || type !== 'config_entry') return own ?? id
  const owner = ownerOf(key)
  const set = moves.get(`config_set/${owner}`) ?? moves.get(`feature_flag/${owner}`)
  return set === undefined ? id : `config_entry/${splitId(set).key}${key.slice(owner.length)}`
}

function ownerOf(key: string): string {
  return key.split('.')[0]!
}
