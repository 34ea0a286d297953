// The readers of changed components by the reference graph, direct and indirect.
import { componentId, splitId, type ComponentId, type ComponentType } from '../../components/component.ts'
import { entryTarget } from '../../components/config-entry/index.ts'
import { componentAt } from '../../graph/component-at.ts'
import type { GraphReference, ReferenceGraph } from '../../graph/index.ts'
import { stepsOf } from '../../graph/pointer-edit.ts'
import { afterOf, beforeOf, type Change } from '../change.ts'

export interface ImpactReader {
  id: ComponentId
  type: ComponentType
  label: string
  /** Whether it refers to a changed component directly. */
  direct: boolean
  /** What it refers to: changed components if it is direct, otherwise other readers. */
  through: ComponentId[]
  /** The places of the references, JSON pointers. */
  paths: string[]
  /** Whether the change list changes it too. */
  changed: boolean
}

/** A change to an entry affects the readers of its set. */
function rootsOf(changes: readonly Change[], graph: ReferenceGraph): Set<ComponentId> {
  const roots = new Set<ComponentId>()
  for (const change of changes) {
    const component = afterOf(change) ?? beforeOf(change)!
    if (component.type === 'config_entry') roots.add(entryTarget(graph.view, component.body.set))
    else {
      roots.add(change.id)
      if (change.kind === 'renamed') roots.add(change.from)
    }
  }
  return roots
}

/** Returns every reader once, ordered by type and key. `graph` is that of the candidate. */
export function impactReaders(changes: readonly Change[], graph: ReferenceGraph): ImpactReader[] {
  const roots = rootsOf(changes, graph)
  const changed = new Set(changes.map(({ id }) => id))
  const readers = new Map<ComponentId, ImpactReader>()
  const queue: { id: ComponentId; member: string | null; direct: boolean }[] = []
  const seen = new Set<string>()
  const visit = (id: ComponentId, member: string | null, direct: boolean): void => {
    const name = `${id} ${member ?? ''}`
    if (seen.has(name)) return
    seen.add(name)
    queue.push({ id, member, direct })
  }
  for (const root of roots) visit(root, null, true)
  for (const { id, member, direct } of queue)
    for (const from of graph.incoming.get(id) ?? [])
      for (const edge of graph.outgoing.get(from) ?? []) {
        if (edge.to !== id || from === id || (member !== null && edge.member !== member)) continue
        note(readers, graph, from, edge, direct, changed)
        for (const next of transitiveReaders(from, edge, graph)) visit(next.id, next.member, false)
      }
  // A component that the list changes can also read other changed components.
  return [...readers.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/** Returns what passes a change on: a function to its callers, an object to the readers of that field. */
function transitiveReaders(
  from: ComponentId,
  { path, origin }: GraphReference,
  { view }: ReferenceGraph,
): { id: ComponentId; member: string | null }[] {
  if (origin !== 'expression') return []
  const { type, key } = splitId(from)
  if (type === 'calc_function') return [{ id: from, member: null }]
  const [, list, at] = stepsOf(path)
  const field =
    type === 'object' && list === 'fields' ? view.get('object', key)?.body.fields[Number(at)] : undefined
  return field === undefined ? [] : [{ id: from, member: field.key }]
}

function note(
  readers: Map<ComponentId, ImpactReader>,
  graph: ReferenceGraph,
  from: ComponentId,
  edge: GraphReference,
  direct: boolean,
  changed: ReadonlySet<ComponentId>,
): void {
  const reader = readers.get(from)
  if (reader === undefined) {
    const component = componentAt(graph.view, from)
    if (component === undefined) return
    const { type, key } = splitId(from)
    readers.set(from, {
      ...{ id: componentId(type, key), type, label: component.label },
      ...{ direct, through: [edge.to], paths: [edge.path], changed: changed.has(from) },
    })
    return
  }
  reader.direct ||= direct
  if (!reader.through.includes(edge.to)) reader.through.push(edge.to)
  if (!reader.paths.includes(edge.path)) reader.paths.push(edge.path)
}
