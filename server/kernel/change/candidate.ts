// Builds a candidate generation: the active one with a change list over it.
import { appendAll } from '../append-all.ts'
import type { Component, ComponentOf } from '../components/body-types.ts'
import {
  componentTypes,
  idOf,
  isEntryId,
  splitId,
  type ApplyHints,
  type ComponentId,
  type ComponentType,
} from '../components/component.ts'
import { itemKeysOf } from '../components/item-keys.ts'
import { roomOf } from '../components/registry.ts'
import type { ComponentView } from '../components/view.ts'
import type { Finding } from '../errors/finding.ts'
import { runToCompletion } from '../steps.ts'
import { didYouMean } from '../errors/suggest.ts'
import {
  planRename,
  applyRenames,
  type ComponentRename,
  type ReferenceGraph,
  type RenamePlan,
} from '../graph/index.ts'
import { withCarriedHash } from './carried-hash.ts'
import type { Change } from './change.ts'
import { componentDigest } from './component-digest.ts'
import type { Digest } from './digest.ts'
import { OverlayView } from './overlay-view.ts'
import type { Sha256 } from './sha256.ts'
import { diffValues, isSameContent } from './value-diff.ts'
import { addRenameAliases } from './object-aliases.ts'
import { resolveRenames, toRequestedRename, type RequestedRename } from './requested-renames.ts'

export interface CandidateComponent {
  component: Component
  hints: ApplyHints
}

export interface CandidateInput {
  components: Iterable<CandidateComponent>
  removals?: Iterable<ComponentId>
  /** Remove everything that the base has and the input does not. */
  prune?: boolean
}

export interface Candidate {
  view: ComponentView
  /** The base under the names of the candidate: the renamed components, and everything that refers to them. */
  renamedBase: ComponentView | null
  /** The differences from the base, ordered by type, then by key. */
  changes: Change[]
  findings: Finding[]
}

export interface CandidateOptions {
  /** Digests of the base: a component with the same digest is unchanged, so the base is not read. */
  baseDigests?: ReadonlyMap<ComponentId, Digest>
  sha256?: Sha256
  /** Graph of the base, for renames; built when needed. */
  graph?: ReferenceGraph
}

/**
 * Normalises the input over the base, applies renames to all references, and returns the differences.
 * Pure; the base is not touched. Two components with the same id, or a rename without a source, are reported as
 * findings.
 */
export function buildCandidate(
  base: ComponentView | null,
  input: CandidateInput,
  options: CandidateOptions = {},
): Candidate {
  return runToCompletion(candidateSteps(base, input, options))
}

/** The same in steps, for a thread that serves other requests. A rename is one step. */
export function* candidateSteps(
  base: ComponentView | null,
  input: CandidateInput,
  options: CandidateOptions = {},
): Generator<void, Candidate> {
  const making = new CandidateBuilder(base, options)
  const components = making.collectComponents(input.components)
  yield
  const written = making.rename(components)
  yield* making.removeAll(input.removals ?? [])
  yield* making.putAll(written)
  if (input.prune === true) making.prune(components)
  yield* making.normaliseAffectedEntries(written)
  const changes = yield* making.changes()
  const { view, renamedBase, findings } = making
  return { view, renamedBase, changes, findings }
}

/** Returns a base with renames applied to everything that refers. */
export function renamedView(
  base: ComponentView,
  renames: readonly ComponentRename[],
  graph?: ReferenceGraph,
): ComponentView {
  return renames.length === 0 ? base : viewAfter(base, planRename(base, renames, graph))
}

function viewAfter(base: ComponentView, { removed, components }: RenamePlan): ComponentView {
  const view = new OverlayView(base)
  for (const id of removed) {
    const { type, key } = splitId(id)
    view.remove(type, key)
  }
  for (const component of components) view.put(component)
  return view
}

const noHints: ApplyHints = Object.freeze({})

class CandidateBuilder {
  readonly view: OverlayView
  readonly findings: Finding[] = []
  renamedBase: ComponentView | null
  readonly #base: ComponentView | null
  readonly #options: CandidateOptions
  readonly #touched = new Set<ComponentId>()
  readonly #hints = new Map<ComponentId, ApplyHints>()
  /** New id → old id. */
  readonly #renamed = new Map<ComponentId, ComponentId>()
  /** Old id → new id, once all renames are known. */
  #moved: Map<ComponentId, ComponentId> | undefined

  constructor(base: ComponentView | null, options: CandidateOptions) {
    this.#base = base
    this.renamedBase = base
    this.#options = options
    this.view = new OverlayView(base)
  }

  collectComponents(components: Iterable<CandidateComponent>): Map<ComponentId, Component> {
    const byId = new Map<ComponentId, Component>()
    for (const { component, hints } of components) {
      const id = idOf(component)
      if (byId.has(id))
        this.#fault(id, 'component.duplicate', `The change list contains ${id} twice. Keep one of the two.`)
      byId.set(id, component)
      if (hints.breaking !== undefined || hints.renamedFrom !== undefined) this.#hints.set(id, hints)
    }
    return byId
  }

  /**
   * Renames run first, over the base; the given components then replace their result. Returns the given components without
   * those that a rename moves or rewrites and that are the same as in the base, such as the unchanged files of a
   * retrieved directory. The others follow the renames, too: an edited entry of a renamed set is an entry of that set.
   */
  rename(components: ReadonlyMap<ComponentId, Component>): ReadonlyMap<ComponentId, Component> {
    const requestedRenames = [...this.#hints].flatMap(([id, { renamedFrom }]) =>
      renamedFrom === undefined ? [] : [toRequestedRename(id, renamedFrom)],
    )
    if (requestedRenames.length === 0) return components
    const { renames, findings } = resolveRenames(requestedRenames, {
      base: this.#base,
      isInList: (id) => components.has(id),
      isUnchanged: (id) => this.#isAsInBase(id, components),
      isInvisible: ({ id, oldId }, all) => {
        const before = this.#baseOf(oldId)
        return before !== undefined && this.#asInBase(id, applyRenames(before, all, this.#base!))
      },
    })
    appendAll(this.findings, findings)
    const written = addRenameAliases(components, requestedRenames)
    if (renames.length === 0 || this.#base === null) return written
    const plan = planRename(this.#base, renames, this.#options.graph)
    for (const id of plan.removed) this.#remove(id)
    for (const component of plan.components) this.#put(idOf(component), component)
    this.#noteMoves(plan.keyMoves)
    this.renamedBase = viewAfter(this.#base, plan)
    for (const id of [...plan.removed, ...plan.components.map(idOf)])
      if (this.#isAsInBase(id, written)) written.delete(id)
    return this.#followed(written, renames)
  }

  /** Applies the renames to the given components. A name that another component has now refers to that component. */
  #followed(
    components: ReadonlyMap<ComponentId, Component>,
    renames: readonly RequestedRename[],
  ): Map<ComponentId, Component> {
    const openRenames = renames.filter(({ oldId }) => !this.#has(oldId) && !components.has(oldId))
    const overlay = new OverlayView(this.#base)
    for (const component of components.values()) overlay.put(component)
    const followed = new Map<ComponentId, Component>()
    for (const [id, component] of components) {
      const now = applyRenames(component, openRenames, overlay)
      const to = idOf(now)
      if (to !== id && components.has(to)) {
        this.#fault(
          id,
          'component.duplicate',
          `${id} is renamed to ${to}, but the change list also contains ${to}. Keep one of the two.`,
        )
        continue
      }
      const hints = this.#hints.get(id)
      if (to !== id && hints !== undefined) this.#hints.set(to, hints)
      followed.set(to, now)
    }
    return followed
  }

  *removeAll(ids: Iterable<ComponentId>): Generator<void> {
    for (const id of ids) {
      yield
      const { type, key } = splitId(id)
      const moved = this.#entryNow(id)
      if (this.view.has(type, key)) this.#remove(id)
      else if (moved !== undefined) {
        this.#remove(moved)
        this.#renamed.delete(moved)
        this.#moved?.delete(id)
      } else {
        const reason = this.#base?.has(type, key)
          ? 'the same change list renames it. Remove one of the two.'
          : `it does not exist.${didYouMean(key, this.#base?.keys(type) ?? [])}`
        this.#fault(id, 'component.unknown_removal', `${id} cannot be removed: ${reason}`)
      }
    }
  }

  /** The new id of an entry that moved with its set. */
  #entryNow(id: ComponentId): ComponentId | undefined {
    if (!isEntryId(id)) return undefined
    this.#moved ??= new Map([...this.#renamed].map(([to, from]) => [from, to]))
    return this.#moved.get(id)
  }

  /** Puts entries last, because their types are declared in their sets. */
  *putAll(components: ReadonlyMap<ComponentId, Component>): Generator<void> {
    for (const [id, component] of components)
      if (component.type !== 'config_entry') this.#putGiven(id, component)
    for (const [id, component] of components) {
      if (component.type === 'config_entry') this.#putGiven(id, normaliseComponent(component, this.view))
      yield
    }
  }

  prune(components: ReadonlyMap<ComponentId, Component>): void {
    for (const type of componentTypes)
      for (const key of this.#base?.keys(type) ?? []) {
        const id: ComponentId = `${type}/${key}`
        if (!components.has(id) && this.view.has(type, key)) this.#remove(id)
      }
  }

  /** Normalises the other entries of a set again if its fields changed. */
  *normaliseAffectedEntries(components: ReadonlyMap<ComponentId, Component>): Generator<void> {
    for (const id of [...this.#touched]) {
      if (!id.startsWith('config_set/')) continue
      const { key } = splitId(id)
      const [before, after] = [this.#base?.get('config_set', key), this.view.get('config_set', key)]
      if (before === undefined || after === undefined || sameShape(before, after)) continue
      for (const entry of [...this.view.entriesOf(key)]) {
        yield
        const id = idOf(entry)
        if (components.has(id)) continue
        const normal = normaliseComponent(entry, this.view)
        if (normal !== entry) this.#put(id, normal)
      }
    }
  }

  *changes(): Generator<void, Change[]> {
    const order = new Map(componentTypes.map((type, index) => [type, index]))
    const ids = [...this.#touched].map((id) => ({ id, ...splitId(id) }))
    ids.sort((a, b) => order.get(a.type)! - order.get(b.type)! || (a.key < b.key ? -1 : 1))
    const gone = new Set(this.#renamed.values())
    const changes: Change[] = []
    for (const each of ids) {
      const change = this.#change(each)
      if (change !== null && (!gone.has(each.id) || this.#has(each.id))) changes.push(change)
      yield
    }
    return changes
  }

  /** Null if nothing differs. */
  #change({ id, type, key }: { id: ComponentId; type: ComponentType; key: string }): Change | null {
    const from = this.#renamed.get(id)
    const after = this.view.get(type, key) as Component | undefined
    const hints = this.#hints.get(id) ?? noHints
    const before = this.#baseOf(from ?? id)
    if (after === undefined) return before === undefined ? null : { kind: 'removed', id, before }
    if (before === undefined) return { kind: 'added', id, after, hints }
    if (from === undefined && isSameContent(before, after)) return null
    const values = diffValues(before, after, itemKeysOf(type))
    return from === undefined
      ? { kind: 'changed', id, before, after, values, hints }
      : { kind: 'renamed', id, from, before, after, values, hints }
  }

  /** Not read if the digests already show that it does not exist. */
  #baseOf(id: ComponentId): Component | undefined {
    const { baseDigests } = this.#options
    if (baseDigests !== undefined && baseDigests.get(id) === undefined) return undefined
    const { type, key } = splitId(id)
    return this.#base?.get(type, key) as Component | undefined
  }

  /** Reports two components that would get one key, because one cannot replace the other. */
  #noteMoves(moved: RenamePlan['keyMoves']): void {
    for (const { from, to } of moved) {
      const other = this.#renamed.get(to)
      if (other === undefined) this.#renamed.set(to, from)
      else {
        const message = `${to} is renamed from ${other}, but ${from} gets that key from the rename of its set. Choose a different key.`
        this.#fault(to, 'component.rename_taken', message)
      }
    }
  }

  #isAsInBase(id: ComponentId, components: ReadonlyMap<ComponentId, Component>): boolean {
    const component = components.get(id)
    if (component === undefined || this.#base === null) return false
    return this.#asInBase(id, normaliseComponent(component, this.#base))
  }

  #has(id: ComponentId): boolean {
    const { type, key } = splitId(id)
    return this.view.has(type, key)
  }

  /**
   * Skips components that are the same as in the base, so that a large unchanged input costs no more than the
   * comparison.
   */
  #putGiven(id: ComponentId, given: Component): void {
    const component =
      given.type === 'external_service'
        ? withCarriedHash(given, this.view.get('external_service', given.key))
        : given
    if (!this.#touched.has(id) && this.#asInBase(id, component)) return
    this.#put(id, component)
  }

  #asInBase(id: ComponentId, component: Component): boolean {
    const { baseDigests, sha256 } = this.#options
    if (baseDigests !== undefined && sha256 !== undefined) {
      const known = baseDigests.get(id)
      return known !== undefined && known === componentDigest(component, sha256)
    }
    const before = this.#base?.get(component.type, component.key)
    return before !== undefined && isSameContent(before, component)
  }

  #put(id: ComponentId, component: Component): void {
    this.view.put(component)
    this.#touched.add(id)
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

/** Returns the component in its declared types; the same object if nothing changes. */
export function normaliseComponent(component: Component, view: ComponentView): Component {
  if (component.type !== 'config_entry') return component
  return roomOf('config_entry').normalise!(component, view)
}

function sameShape(before: ComponentOf<'config_set'>, after: ComponentOf<'config_set'>): boolean {
  return (
    isSameContent(before.body.fields, after.body.fields) &&
    isSameContent(before.body.keyedBy, after.body.keyedBy)
  )
}
