// The reference graph of a generation, read from storage and cached, so that one change on a large org costs only that
// change.
import type { ComponentId } from '#kernel/components/component.ts'
import type { GraphReference, ReferenceGraph } from '#kernel/graph/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { ReferenceWrite } from '../ports/generations.ts'

/** Holds the graph of one generation, the last one requested. */
export class GraphCache {
  #generation = -1
  #graph: ReferenceGraph | undefined

  at(reader: Pick<OrgReader, 'components' | 'generations'>, generation: number): ReferenceGraph {
    if (this.#graph === undefined || this.#generation !== generation)
      this.put(generation, storedGraph(reader, generation))
    return this.#graph!
  }

  put(generation: number, graph: ReferenceGraph): void {
    this.#generation = generation
    this.#graph = graph
  }
}

function storedGraph(
  reader: Pick<OrgReader, 'components' | 'generations'>,
  generation: number,
): ReferenceGraph {
  const outgoing = reader.components.references(generation)
  const incoming = new Map<ComponentId, Set<ComponentId>>()
  for (const [from, edges] of outgoing)
    for (const { to } of edges) {
      const sources = incoming.get(to)
      if (sources === undefined) incoming.set(to, new Set([from]))
      else sources.add(from)
    }
  return { view: reader.generations.view(generation), outgoing, incoming }
}

/** Components whose edges differ, with their edges in `after`. */
export function* changedReferences(before: ReferenceGraph, after: ReferenceGraph): Iterable<ReferenceWrite> {
  for (const [from, edges] of after.outgoing) {
    const known = before.outgoing.get(from)
    if (known !== edges && !sameEdges(known, edges)) yield { from, edges }
  }
  for (const from of before.outgoing.keys()) if (!after.outgoing.has(from)) yield { from, edges: [] }
}

function sameEdges(a: readonly GraphReference[] | undefined, b: readonly GraphReference[]): boolean {
  return (
    a?.length === b.length &&
    a.every((edge, at) => {
      const other = b[at]!
      return (
        edge.path === other.path &&
        edge.to === other.to &&
        edge.member === other.member &&
        edge.origin === other.origin
      )
    })
  )
}
