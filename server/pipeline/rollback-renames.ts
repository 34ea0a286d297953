// A rollback undoes and redoes the renames in between, so that everything bound to a name follows it
// (docs/reference/pipeline-and-approvals.md).
import { diffValues, renamedView, type Candidate, type Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import {
  componentTypes,
  splitId,
  type ApplyHints,
  type ComponentId,
  type ComponentType,
} from '#kernel/components/component.ts'
import type { ComponentRename, ReferenceGraph } from '#kernel/graph/index.ts'
import { itemKeysOf } from '#kernel/components/item-keys.ts'
import type { ComponentView } from '#kernel/components/view.ts'

/** What a rollback has beside the older content. */
export interface RollbackTerms {
  /** Ids of the older generation with the ids of today, as `keyMovesBetween` returns them. */
  renames: ReadonlyMap<ComponentId, ComponentId | null>
  /** What its author confirms, by the ids of the older generation. */
  hints: ReadonlyMap<ComponentId, ApplyHints>
}

/** Returns the candidate of a rollback: what was renamed since is renamed back, and checked as a rename. */
export function rollbackCandidate(
  built: Candidate,
  terms: RollbackTerms,
  base: ComponentView,
  graph: ReferenceGraph,
): Candidate {
  const changes = withPastRenames(built, base, terms)
  return { ...built, changes, renamedBase: renamedView(base, renamesOf(changes), graph) }
}

/** The renames of a change list, without entries that only follow their set. */
function renamesOf(changes: readonly Change[]): ComponentRename[] {
  const renames = changes.flatMap((change): ComponentRename[] => {
    if (change.kind !== 'renamed') return []
    const { type, key } = splitId(change.id)
    return [{ type, from: splitId(change.from).key, to: key }]
  })
  const owners = new Map(
    renames.flatMap(({ type, from, to }) => (ownerTypes.includes(type) ? [[from, to] as const] : [])),
  )
  return renames.filter(({ type, from, to }) => {
    if (type !== 'config_entry') return true
    const set = from.slice(0, from.indexOf('.'))
    return to !== `${owners.get(set)}${from.slice(set.length)}`
  })
}

const ownerTypes: readonly ComponentType[] = ['config_set', 'feature_flag']

/**
 * The changes of a rollback, in terms of what was renamed since. One name may be in it twice: its current component is
 * removed, and its former one returns, even if the two are equal.
 */
function withPastRenames(
  { changes, view }: Pick<Candidate, 'changes' | 'view'>,
  base: ComponentView,
  { renames, hints }: RollbackTerms,
): Change[] {
  if (renames.size === 0) return changes
  const at = (where: ComponentView, id: ComponentId): Component | undefined => {
    const { type, key } = splitId(id)
    return where.get(type, key) as Component | undefined
  }
  const cameFrom = (id: ComponentId): ComponentId | null => {
    const source = renames.has(id) ? renames.get(id)! : id
    if (source === null || at(base, source) === undefined) return null
    // If the list omits it, the component that has the source's key keeps it.
    const stays = source !== id && at(view, source) !== undefined && !renames.has(source)
    return stays ? null : source
  }
  const ids = new Set(changes.map(({ id }) => id))
  for (const id of renames.keys()) if (at(view, id) !== undefined && cameFrom(id) !== id) ids.add(id)
  const sourceIds = new Set([...ids].map((id) => (at(view, id) === undefined ? null : cameFrom(id))))
  const plain = new Map(changes.map((change) => [change.id, change]))
  return inOrder(ids).flatMap((id): Change[] => {
    const [before, after] = [at(base, id), at(view, id)]
    const gone: Change[] = before === undefined || sourceIds.has(id) ? [] : [{ kind: 'removed', id, before }]
    if (after === undefined) return gone
    const from = cameFrom(id)
    if (from === id) return [plain.get(id)!]
    const confirmed = hints.get(id) ?? {}
    if (from === null) return [...gone, { kind: 'added', id, after, hints: confirmed }]
    const was = at(base, from)!
    const values = diffValues(was, after, itemKeysOf(after.type))
    return [...gone, { kind: 'renamed', id, from, before: was, after, values, hints: confirmed }]
  })
}

/** In the order of a candidate's changes: by type, then by key. */
function inOrder(ids: Iterable<ComponentId>): ComponentId[] {
  const rank = (id: ComponentId): number => componentTypes.indexOf(splitId(id).type)
  return [...ids].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}
