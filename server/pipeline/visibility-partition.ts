// Splits a change list by what its author sees: what depends on sets that hide themselves is never compared with them,
// so that a plan cannot be used to find out what is hidden (docs/reference/access.md).
import { appendAll } from '#kernel/append-all.ts'
import type { CandidateComponent } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Viewer } from '../access/index.ts'
import type { LoadedChanges } from './change-source.ts'
import { definitionOf } from './touched-sets.ts'

/** The part of a change list for which the author cannot see the base. */
export interface UnseenComponents {
  components: CandidateComponent[]
  /** Removals from sets and flags that are not shown or do not exist. */
  removals: ComponentId[]
  /** Entries of sets that show their definition and hide their values. */
  hiddenValues: ReadonlySet<ComponentId>
  removedValues: ComponentId[]
}

export interface VisibilityPartition {
  visibleChanges: LoadedChanges
  unseenComponents: UnseenComponents
}

/** Whether an entry that equals the active content can be omitted, as decided by `digestsEqual`. */
export interface PartitionOptions {
  isUnchanged?: (component: Component) => boolean
}

type VisibilityLevel = 'open' | 'values' | 'unseen'

export function partitionByVisibility(
  changes: LoadedChanges,
  viewer: Viewer | null,
  base: ComponentView,
  { isUnchanged = () => false }: PartitionOptions = {},
): VisibilityPartition {
  const values = new Set<ComponentId>()
  const unseen: UnseenComponents = { components: [], removals: [], hiddenValues: values, removedValues: [] }
  if (viewer === null) return { visibleChanges: changes, unseenComponents: unseen }
  const look = new VisibilityClassifier(changes, viewer, base)
  const components: CandidateComponent[] = []
  for (const each of changes.components) {
    const seen = look.classifyComponent(each)
    if (seen === 'open') components.push(each)
    else if (seen === 'unseen') unseen.components.push(each)
    else if (!isUnchanged(each.component)) {
      unseen.components.push(each)
      values.add(idOf(each.component))
    }
  }
  const removals: ComponentId[] = []
  for (const id of changes.removals) {
    const seen = look.classifyRemoval(id)
    if (seen === 'open') removals.push(id)
    else (seen === 'unseen' ? unseen.removals : unseen.removedValues).push(id)
  }
  if (changes.prune) appendAll(components, hiddenComponentsToKeep(viewer, base))
  return { visibleChanges: { ...changes, components, removals }, unseenComponents: unseen }
}

class VisibilityClassifier {
  readonly #viewer: Viewer
  readonly #base: ComponentView
  /** Sets and flags that the list contains. */
  readonly #definitions = new Map<string, Component>()
  readonly #known = new Map<string, VisibilityLevel>()

  constructor(changes: LoadedChanges, viewer: Viewer, base: ComponentView) {
    this.#viewer = viewer
    this.#base = base
    for (const { component } of changes.components)
      if (component.type === 'config_set' || component.type === 'feature_flag')
        this.#definitions.set(component.key, component)
  }

  classifyComponent({ component, hints }: CandidateComponent): VisibilityLevel {
    const { type, key } = component
    if (type === 'config_entry') {
      const from = hints.renamedFrom
      const owners = [component.body.set, key, ...(from === undefined || this.#came(type, key) ? [] : [from])]
      return narrowest(owners.map((owner) => this.#ofSet(owner.split('.')[0]!)))
    }
    if (type !== 'config_set' && type !== 'feature_flag') return 'open'
    const from = hints.renamedFrom
    const source = from === undefined || this.#came(type, key) ? 'open' : this.#ofSource(from)
    return narrowest([definitionOf(this.#base, key) === undefined ? 'open' : this.#ofSource(key), source])
  }

  classifyRemoval(id: ComponentId): VisibilityLevel {
    const { type, key } = splitId(id)
    if (type === 'config_entry') return this.#ofSet(key.split('.')[0]!)
    return type === 'config_set' || type === 'feature_flag' ? this.#ofSource(key) : 'open'
  }

  /** Whether a rename was applied before, so that its source does not need to exist. */
  #came(type: 'config_entry' | 'config_set' | 'feature_flag', key: string): boolean {
    return this.#base.has(type, key)
  }

  /** A set or flag itself. A missing one counts as a hidden one, so that the two look the same. */
  #ofSource(key: string): VisibilityLevel {
    if (this.#viewer.canSeeAllDefinitions) return 'open'
    const there = definitionOf(this.#base, key) !== undefined
    return there && this.#viewer.visibility.canSeeDefinition(key) ? 'open' : 'unseen'
  }

  /** What is in a set or flag. */
  #ofSet(key: string): VisibilityLevel {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const seen = this.#judge(key)
    this.#known.set(key, seen)
    return seen
  }

  #judge(key: string): VisibilityLevel {
    const { visibility, canSeeAllDefinitions } = this.#viewer
    const definition = this.#definitions.get(key)
    if (definitionOf(this.#base, key) === undefined)
      return canSeeAllDefinitions || definition !== undefined ? 'open' : 'unseen'
    if (visibility.canSeeValues(key) || (definition !== undefined && this.#viewer.canOpen(definition)))
      return 'open'
    return visibility.canSeeDefinition(key) ? 'values' : 'unseen'
  }
}

function narrowest(seen: readonly VisibilityLevel[]): VisibilityLevel {
  return seen.includes('unseen') ? 'unseen' : seen.includes('values') ? 'values' : 'open'
}

/** With prune: what is hidden from the author is added unchanged, so that it stays and is not listed. */
function hiddenComponentsToKeep(viewer: Viewer, base: ComponentView): CandidateComponent[] {
  const components: CandidateComponent[] = []
  const keep = (component: Component): void => void components.push({ component, hints: {} })
  for (const type of ['config_set', 'feature_flag'] as const)
    for (const set of base.list(type)) {
      if (!viewer.visibility.canSeeDefinition(set.key)) keep(set as Component)
      if (!viewer.visibility.canSeeValues(set.key)) for (const entry of base.entriesOf(set.key)) keep(entry)
    }
  return components
}
