// The static dependency graph of one view. Edges from entries to their set are not stored, because the view has them:
// a hundred thousand entries are each read once when the graph is built, and cost nothing afterwards.
import type { Component, ComponentOf } from '../components/body-types.ts'
import { idOf, isEntryId, splitId, type ComponentId } from '../components/component.ts'
import type { ComponentView } from '../components/view.ts'
import { componentAt } from './component-at.ts'
import { referencesOf, type GraphReference } from './references.ts'

export interface ReferenceGraph {
  readonly view: ComponentView
  /** Edges by source component; for an entry, without the edge to its set. */
  readonly outgoing: ReadonlyMap<ComponentId, readonly GraphReference[]>
  /** The components that refer to a component. */
  readonly incoming: ReadonlyMap<ComponentId, ReadonlySet<ComponentId>>
}

/** Builds the graph of a whole view. */
export function buildGraph(view: ComponentView): ReferenceGraph {
  const outgoing = new Map<ComponentId, readonly GraphReference[]>()
  const incoming = new Map<ComponentId, Set<ComponentId>>()
  for (const component of view.all()) {
    const edges = storedEdges(component, view)
    if (edges.length === 0) continue
    const from = idOf(component)
    outgoing.set(from, edges)
    for (const { to } of edges) setOf(incoming, to).add(from)
  }
  return { view, outgoing, incoming }
}

/**
 * Returns the graph of a view that differs from the graph's own view only in `changed` (added, modified or removed).
 * Components that refer to a changed component are read again too, because names in expressions resolve through it.
 * The given graph does not change.
 */
export function updateGraph(
  graph: ReferenceGraph,
  changed: Iterable<ComponentId>,
  view: ComponentView,
): ReferenceGraph {
  const outgoing = new Map(graph.outgoing)
  const incoming = new Map<ComponentId, ReadonlySet<ComponentId>>(graph.incoming)
  const own = new Set<ComponentId>()
  const writable = (to: ComponentId): Set<ComponentId> => {
    const known = incoming.get(to)
    if (own.has(to)) return known as Set<ComponentId>
    const copy = new Set(known)
    own.add(to)
    incoming.set(to, copy)
    return copy
  }
  for (const from of affectedComponents(graph, changed, view)) {
    for (const { to } of graph.outgoing.get(from) ?? []) writable(to).delete(from)
    const component = componentAt(view, from)
    const edges = component === undefined ? [] : storedEdges(component, view)
    if (edges.length === 0) outgoing.delete(from)
    else outgoing.set(from, edges)
    for (const { to } of edges) writable(to).add(from)
  }
  return { view, outgoing, incoming }
}

function affectedComponents(
  graph: ReferenceGraph,
  changed: Iterable<ComponentId>,
  view: ComponentView,
): Set<ComponentId> {
  const affectedIds = new Set<ComponentId>()
  for (const id of changed) {
    affectedIds.add(id)
    for (const from of graph.incoming.get(id) ?? []) if (!isEntryId(from)) affectedIds.add(from)
    const { type, key } = splitId(id)
    if (type !== 'config_set' || !(namesCredentials(graph.view, key) || namesCredentials(view, key))) continue
    // The set defines which values of its entries are credentials.
    for (const each of [graph.view, view])
      for (const entry of each.entriesOf(key)) affectedIds.add(idOf(entry))
  }
  return affectedIds
}

function storedEdges(component: Component, view: ComponentView): readonly GraphReference[] {
  if (component.type !== 'config_entry') return referencesOf(component, view)
  return mayPointFurther(component, view)
    ? referencesOf(component, view).filter(({ path }) => path !== '/body/set')
    : []
}

function mayPointFurther(entry: ComponentOf<'config_entry'>, view: ComponentView): boolean {
  const { scope, set } = entry.body
  return scope.kind === 'app' || scope.kind === 'permission_set' || namesCredentials(view, set)
}

function namesCredentials(view: ComponentView, set: string): boolean {
  return view.get('config_set', set)?.body.fields.some(({ type }) => type === 'credential_reference') ?? false
}

function setOf(map: Map<ComponentId, Set<ComponentId>>, key: ComponentId): Set<ComponentId> {
  const known = map.get(key)
  if (known !== undefined) return known
  const set = new Set<ComponentId>()
  map.set(key, set)
  return set
}
