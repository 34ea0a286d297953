// A candidate generation: the active one with a change list put over it (specification 1.1; completions 1, 4).
import type { Component, ComponentOf } from '../components/body-types.ts'
import {
  componentTypes,
  idOf,
  splitId,
  type ApplyHints,
  type ComponentId,
  type ComponentType,
} from '../components/component.ts'
import { roomOf } from '../components/registry.ts'
import type { ComponentView } from '../components/view.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import { planRename, type ReferenceGraph } from '../graph/index.ts'
import type { Change } from './change.ts'
import { componentDigest } from './component-digest.ts'
import type { Digest } from './digest.ts'
import { OverlayView } from './overlay-view.ts'
import type { Sha256 } from './sha256.ts'
import { diffValues, sameContent } from './value-diff.ts'

export interface CandidateComponent {
  component: Component
  hints: ApplyHints
}

export interface CandidateInput {
  components: Iterable<CandidateComponent>
  removals?: Iterable<ComponentId>
  /** Remove whatever the base has and the input does not. */
  prune?: boolean
}

export interface Candidate {
  view: ComponentView
  /** Only what differs from the base, in the order of types, then of keys. */
  changes: Change[]
  findings: Finding[]
}

export interface CandidateOptions {
  /** Digests of the base: a component whose digest is the same is unchanged, without reading the base's. */
  baseDigests?: ReadonlyMap<ComponentId, Digest>
  sha256?: Sha256
  /** Graph of the base, for renames; built when needed. */
  graph?: ReferenceGraph
}

/**
 * Normalises the input over the base, carries renames through everything that refers, and says what differs.
 * Pure; the base is not touched. Two components of one id, or a rename without a source, are findings.
 */
export function buildCandidate(
  base: ComponentView | null,
  input: CandidateInput,
  options: CandidateOptions = {},
): Candidate {
  const making = new Making(base, options)
  const given = making.take(input.components)
  const written = making.rename(given)
  making.removeAll(input.removals ?? [])
  making.putAll(written)
  if (input.prune === true) making.prune(given)
  making.followShapes(written)
  return { view: making.view, changes: making.changes(), findings: making.findings }
}

class Making {
  readonly view: OverlayView
  readonly findings: Finding[] = []
  readonly #base: ComponentView | null
  readonly #options: CandidateOptions
  readonly #touched = new Set<ComponentId>()
  readonly #hints = new Map<ComponentId, ApplyHints>()
  /** New id → old id. */
  readonly #renamed = new Map<ComponentId, ComponentId>()

  constructor(base: ComponentView | null, options: CandidateOptions) {
    this.#base = base
    this.#options = options
    this.view = new OverlayView(base)
  }

  take(components: Iterable<CandidateComponent>): Map<ComponentId, Component> {
    const given = new Map<ComponentId, Component>()
    for (const { component, hints } of components) {
      const id = idOf(component)
      if (given.has(id)) this.#fault(id, 'component.duplicate', `${id} is given twice. Keep one of the two.`)
      given.set(id, component)
      if (hints.breaking !== undefined || hints.renamedFrom !== undefined) this.#hints.set(id, hints)
    }
    return given
  }

  /**
   * Renames run first, over the base; what is given afterwards stands over their result. Answers that: without what a
   * rename moves or rewrites and is given as the base has it, such as the files of a retrieved directory nobody touched.
   */
  rename(given: ReadonlyMap<ComponentId, Component>): ReadonlyMap<ComponentId, Component> {
    const renames = [...this.#hints].flatMap(([id, { renamedFrom }]) => {
      if (renamedFrom === undefined) return []
      const { type, key } = splitId(id)
      return this.#lawful(given, id, renamedFrom) ? [{ type, from: renamedFrom, to: key }] : []
    })
    if (renames.length === 0 || this.#base === null) return given
    const plan = planRename(this.#base, renames, this.#options.graph)
    for (const id of plan.removed) this.#remove(id)
    for (const component of plan.components) this.#put(component)
    for (const { type, from, to } of renames) this.#noteRename(type, from, to)
    const written = new Map(given)
    for (const id of [...plan.removed, ...plan.components.map(idOf)]) {
      const component = given.get(id)
      if (component !== undefined && this.#asInBase(id, normalised(component, this.#base))) written.delete(id)
    }
    return written
  }

  removeAll(ids: Iterable<ComponentId>): void {
    for (const id of ids) {
      const { type, key } = splitId(id)
      if (this.view.has(type, key)) this.#remove(id)
      else {
        const nearest = didYouMean(key, this.#base?.keys(type) ?? [])
        this.#fault(id, 'component.unknown_removal', `${id} cannot be removed: there is none.${nearest}`)
      }
    }
  }

  /** Everything but entries first, because an entry's declared types stand in its set. */
  putAll(given: ReadonlyMap<ComponentId, Component>): void {
    for (const component of given.values()) if (component.type !== 'config_entry') this.#putGiven(component)
    for (const component of given.values())
      if (component.type === 'config_entry') this.#putGiven(normalised(component, this.view))
  }

  prune(given: ReadonlyMap<ComponentId, Component>): void {
    for (const type of componentTypes)
      for (const key of this.#base?.keys(type) ?? []) {
        const id: ComponentId = `${type}/${key}`
        if (!given.has(id) && this.view.has(type, key)) this.#remove(id)
      }
  }

  /** A set whose fields changed has its other entries normalised anew. */
  followShapes(given: ReadonlyMap<ComponentId, Component>): void {
    for (const id of [...this.#touched]) {
      const { type, key } = splitId(id)
      if (type !== 'config_set') continue
      const [before, after] = [this.#base?.get('config_set', key), this.view.get('config_set', key)]
      if (before === undefined || after === undefined || sameShape(before, after)) continue
      for (const entry of [...this.view.entriesOf(key)]) {
        if (given.has(idOf(entry))) continue
        const normal = normalised(entry, this.view)
        if (normal !== entry) this.#put(normal)
      }
    }
  }

  changes(): Change[] {
    const order = new Map(componentTypes.map((type, index) => [type, index]))
    const ids = [...this.#touched].map((id) => ({ id, ...splitId(id) }))
    ids.sort((a, b) => order.get(a.type)! - order.get(b.type)! || (a.key < b.key ? -1 : 1))
    const gone = new Set(this.#renamed.values())
    return ids.flatMap(({ id }) => (gone.has(id) && !this.#has(id) ? [] : this.#change(id)))
  }

  #change(id: ComponentId): Change[] {
    const { type, key } = splitId(id)
    const from = this.#renamed.get(id)
    const after = this.view.get(type, key) as Component | undefined
    const hints = this.#hints.get(id) ?? {}
    const source = splitId(from ?? id)
    const before = this.#baseOf(source)
    if (after === undefined) return before === undefined ? [] : [{ kind: 'removed', id, before }]
    if (before === undefined) return [{ kind: 'added', id, after, hints }]
    if (from === undefined && sameContent(before, after)) return []
    const values = diffValues(before, after, roomOf(type).itemKeys)
    return from === undefined
      ? [{ kind: 'changed', id, before, after, values, hints }]
      : [{ kind: 'renamed', id, from, before, after, values, hints }]
  }

  /** Not read where the digests say already that there is none. */
  #baseOf({ type, key }: { type: ComponentType; key: string }): Component | undefined {
    const { baseDigests } = this.#options
    if (baseDigests !== undefined && baseDigests.get(`${type}/${key}`) === undefined) return undefined
    return this.#base?.get(type, key) as Component | undefined
  }

  #lawful(given: ReadonlyMap<ComponentId, Component>, id: ComponentId, renamedFrom: string): boolean {
    const { type, key } = splitId(id)
    const old: ComponentId = `${type}/${renamedFrom}`
    if (renamedFrom === key) return false
    if (this.#base?.has(type, renamedFrom) !== true) {
      // Applied before: the old key is gone and the new one is there.
      if (this.#base?.has(type, key) === true) return false
      const nearest = didYouMean(renamedFrom, this.#base?.keys(type) ?? [])
      this.#fault(
        id,
        'component.rename_source',
        `${id} is renamed from "${renamedFrom}", which does not exist.${nearest}`,
      )
      return false
    }
    if (given.has(old)) {
      this.#fault(
        id,
        'component.rename_both',
        `${id} is renamed from ${old}, and ${old} is given too. Leave one of the two out.`,
      )
      return false
    }
    if (this.#base.has(type, key)) {
      this.#fault(
        id,
        'component.rename_taken',
        `${id} cannot take the key of a component that exists. Remove that one first.`,
      )
      return false
    }
    return true
  }

  #noteRename(type: ComponentType, from: string, to: string): void {
    this.#renamed.set(`${type}/${to}`, `${type}/${from}`)
    if (type !== 'config_set' && type !== 'feature_flag') return
    for (const entry of this.#base!.entriesOf(from)) {
      const slug = entry.key.slice(entry.key.indexOf('.') + 1)
      this.#renamed.set(`config_entry/${to}.${slug}`, idOf(entry))
    }
  }

  #has(id: ComponentId): boolean {
    const { type, key } = splitId(id)
    return this.view.has(type, key)
  }

  /** What the base has just so leaves no trace, so that a large unchanged input costs its comparison only. */
  #putGiven(component: Component): void {
    const id = idOf(component)
    if (!this.#touched.has(id) && this.#asInBase(id, component)) return
    this.#put(component)
  }

  #asInBase(id: ComponentId, component: Component): boolean {
    const { baseDigests, sha256 } = this.#options
    if (baseDigests !== undefined && sha256 !== undefined) {
      const known = baseDigests.get(id)
      return known !== undefined && known === componentDigest(component, sha256)
    }
    const before = this.#base?.get(component.type, component.key)
    return before !== undefined && sameContent(before, component)
  }

  #put(component: Component): void {
    this.view.put(component)
    this.#touched.add(idOf(component))
  }

  #remove(id: ComponentId): void {
    const { type, key } = splitId(id)
    this.view.remove(type, key)
    this.#touched.add(id)
  }

  #fault(component: ComponentId, code: string, message: string): void {
    this.findings.push({ severity: 'error', code, component, path: '', message, related: [] })
  }
}

/** The component in its declared types; itself where nothing moves. */
export function normalised(component: Component, view: ComponentView): Component {
  if (component.type !== 'config_entry') return component
  return roomOf('config_entry').normalise!(component, view)
}

function sameShape(before: ComponentOf<'config_set'>, after: ComponentOf<'config_set'>): boolean {
  return (
    sameContent(before.body.fields, after.body.fields) && sameContent(before.body.keyedBy, after.body.keyedBy)
  )
}
