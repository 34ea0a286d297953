// Indexes a change list for the rules of the closure: by id, by the id before a rename, by the set of entries.
import type { Component, ComponentOf } from '../../components/body-types.ts'
import { idOf, splitId, type ComponentId } from '../../components/component.ts'
import type { ComponentView } from '../../components/view.ts'
import type { CivilDate } from '../../dates/civil-date.ts'
import type { GraphReference, ReferenceGraph } from '../../graph/index.ts'
import { afterOf, beforeOf, type Change } from '../change.ts'

export interface ClosureContext {
  /** The base of the list; null for the first generation of an org. */
  base: ComponentView | null
  /** The candidate of the whole list. */
  view: ComponentView
  baseGraph: ReferenceGraph
  /** Graph of the candidate. */
  graph: ReferenceGraph
  today: CivilDate
}

type Entry = ComponentOf<'config_entry'>

interface ChangesBy {
  id: ReadonlyMap<ComponentId, Change>
  /** By the id in the base. */
  source: ReadonlyMap<ComponentId, Change>
  /** By the set or flag of entries. */
  set: ReadonlyMap<string, readonly Change[]>
}

/** Makes the index in steps, since a list can be as long as an org. */
export function* changeIndexSteps(
  changes: readonly Change[],
  ground: ClosureContext,
): Generator<void, ChangeIndex> {
  const byId = new Map<ComponentId, Change>()
  const bySource = new Map<ComponentId, Change>()
  const bySet = new Map<string, Change[]>()
  for (const change of changes) {
    byId.set(change.id, change)
    const before = beforeOf(change)
    if (before !== null) bySource.set(idOf(before), change)
    for (const set of new Set(entriesOfChange(change).map(({ body }) => body.set))) {
      const known = bySet.get(set)
      if (known === undefined) bySet.set(set, [change])
      else known.push(change)
    }
    yield
  }
  return new ChangeIndex(ground, { id: byId, source: bySource, set: bySet })
}

export class ChangeIndex {
  readonly base: ComponentView | null
  readonly view: ComponentView
  readonly today: CivilDate
  readonly #graphs: Pick<ClosureContext, 'baseGraph' | 'graph'>
  readonly #by: ChangesBy

  constructor(ground: ClosureContext, by: ChangesBy) {
    this.base = ground.base
    this.view = ground.view
    this.today = ground.today
    this.#graphs = ground
    this.#by = by
  }

  changeOf(id: ComponentId): Change | undefined {
    return this.#by.id.get(id)
  }

  /** Returns the change to the component that has this id in the base. */
  changeOfBase(id: ComponentId): Change | undefined {
    return this.#by.source.get(id)
  }

  /** Changes to entries that belong to a set or flag before or after. */
  entriesOf(set: string): readonly Change[] {
    return this.#by.set.get(set) ?? []
  }

  /** Returns the change to a set or flag by its key after the list. */
  ownerOf(set: string): Change | undefined {
    return this.changeOf(`config_set/${set}`) ?? this.changeOf(`feature_flag/${set}`)
  }

  /** Returns the references of a change after the list. */
  edgesOf(change: Change): readonly GraphReference[] {
    return change.kind === 'removed' ? [] : (this.#graphs.graph.outgoing.get(change.id) ?? [])
  }

  /** Returns the edges to a component in the base, each with its source. */
  *baseReferencesTo(id: ComponentId): Iterable<{ from: ComponentId; edge: GraphReference }> {
    const { incoming, outgoing } = this.#graphs.baseGraph
    for (const from of incoming.get(id) ?? [])
      for (const edge of outgoing.get(from) ?? []) if (edge.to === id) yield { from, edge }
  }

  /** Returns the edges to a component in the candidate. */
  *referencesTo(id: ComponentId): Iterable<{ from: ComponentId; edge: GraphReference }> {
    const { incoming, outgoing } = this.#graphs.graph
    for (const from of incoming.get(id) ?? [])
      for (const edge of outgoing.get(from) ?? []) if (edge.to === id) yield { from, edge }
  }
}

/** Returns both sides of the change to an entry. */
export function entriesOfChange(change: Change): Entry[] {
  return [beforeOf(change), afterOf(change)].filter(
    (component): component is Entry & Component => component?.type === 'config_entry',
  )
}

/** `set vat_rate`, `entry vat_rate.de_2021`: a component in a sentence. */
export function displayName(id: ComponentId): string {
  const { type, key } = splitId(id)
  return `${type.replace('config_', '').replace('feature_', '').replace('_', ' ')} ${key}`
}
