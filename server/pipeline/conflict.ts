// Merges a change list onto an active generation that has changed: what both sides changed is a conflict, what only one
// side changed merges.
import {
  componentDigest,
  normaliseComponent,
  type CandidateComponent,
  type Digest,
  type Sha256,
} from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { LoadedChanges } from './change-source.ts'
import type { ChangeSource, Conflict } from './request.ts'
import { isIdVisible } from './id-visibility.ts'
import { hiddenLabel, isUnknownTo, type Audience } from './change-redaction.ts'

type MergeInput = Pick<LoadedChanges, 'components' | 'removals' | 'prune'>

/**
 * Returns the change list over the active generation, without what the author did not change.
 * @throws AlmanacError conflict.stale_generation with every conflict; generation.not_found.
 */
export function mergeOverActive(
  reader: OrgReader,
  changes: LoadedChanges,
  base: number,
  active: number,
  sha256: Sha256,
  audience: Audience,
): MergeInput {
  if (base === active && [...changes.baseById.values()].every((each) => each === active)) return changes
  const merge = new Merge(reader, base, active, changes.baseById, sha256)
  const components = changes.components.filter((each) => merge.keepsComponent(each))
  const requestedRemovals = changes.prune
    ? [...changes.removals, ...merge.pruned(changes.components)]
    : changes.removals
  const removals = requestedRemovals.filter((id) => merge.keepsRemoval(id))
  if (merge.conflicts.length > 0)
    throw staleGeneration(redactConflicts(reader, merge.conflicts, audience), active)
  return { components, removals, prune: false }
}

/**
 * Refuses a revert that would overwrite a later change.
 * @throws AlmanacError conflict.stale_generation with every conflict
 */
export function requireSettledConflicts(source: ChangeSource, conflicts: readonly Conflict[]): void {
  if (source.kind !== 'revert' || conflicts.length === 0) return
  throw new AlmanacError(
    'conflict.stale_generation',
    `${formatConflictIds(conflicts)} changed again after generation ${source.generation}, so the revert would also undo those changes. Compare the three versions of each, then choose whether it stays unchanged or what it becomes.`,
    { details: conflicts },
  )
}

function formatConflictIds(conflicts: readonly Conflict[]): string {
  const names = conflicts.slice(0, 5).map(({ id }) => id)
  const more = conflicts.length > names.length ? ` and ${conflicts.length - names.length} more` : ''
  return `${names.join(', ')}${more}`
}

/** Returns the change list without overtaken drafts, which are not reported here. */
export function withoutStaleDrafts(
  reader: OrgReader,
  changes: LoadedChanges,
  active: number,
  sha256: Sha256,
): LoadedChanges {
  if ([...changes.baseById.values()].every((each) => each === active)) return changes
  const merge = new Merge(reader, active, active, changes.baseById, sha256)
  const components = changes.components.filter((each) => merge.keepsComponent(each))
  const removals = changes.removals.filter((id) => merge.keepsRemoval(id))
  return { ...changes, components, removals }
}

/** `since`: the generation of `base`. */
type FoundConflict = Conflict & { since: number }

class Merge {
  readonly conflicts: FoundConflict[] = []
  readonly #reader: OrgReader
  readonly #base: number
  readonly #active: number
  readonly #baseOf: ReadonlyMap<ComponentId, number>
  readonly #sha256: Sha256

  constructor(
    reader: OrgReader,
    base: number,
    active: number,
    baseOf: ReadonlyMap<ComponentId, number>,
    sha256: Sha256,
  ) {
    this.#reader = reader
    this.#base = base
    this.#active = active
    this.#baseOf = baseOf
    this.#sha256 = sha256
  }

  keepsComponent({ component, hints }: CandidateComponent): boolean {
    const id = idOf(component)
    const from: ComponentId = hints.renamedFrom === undefined ? id : `${component.type}/${hints.renamedFrom}`
    const mine = normaliseComponent(component, this.#reader.generations.view(this.#active))
    return this.#keeps(from, id, mine, componentDigest(mine, this.#sha256))
  }

  keepsRemoval(id: ComponentId): boolean {
    // What another user has already removed does not need to be removed again.
    return (
      this.#keeps(id, id, null, undefined) && this.#reader.components.digest(this.#active, id) !== undefined
    )
  }

  /** With prune: what the author saw and did not include. Later additions are not the author's to remove. */
  pruned(components: readonly CandidateComponent[]): ComponentId[] {
    const given = new Set(components.map(({ component }) => idOf(component)))
    return [...this.#reader.components.digests(this.#base).keys()].filter((id) => !given.has(id))
  }

  #keeps(from: ComponentId, id: ComponentId, mine: Component | null, digest: Digest | undefined): boolean {
    const base = this.#baseOf.get(id) ?? this.#base
    const before = this.#reader.components.digest(base, from)
    const theirs = this.#reader.components.digest(this.#active, from)
    if (theirs === before || digest === theirs) return true
    if (digest === before) return false
    this.conflicts.push({
      ...{ id, since: base, mine },
      ...{ base: this.#at(base, from), theirs: this.#at(this.#active, from) },
    })
    return false
  }

  #at(generation: number, id: ComponentId): Component | null {
    const { type, key } = splitId(id)
    return (this.#reader.generations.view(generation).get(type, key) as Component | undefined) ?? null
  }
}

/** Omits what the author cannot see of base and theirs; all of it if the set is not shown. */
function redactConflicts(
  reader: OrgReader,
  conflicts: readonly FoundConflict[],
  { viewer, isAuthor }: Audience,
): Conflict[] {
  if (viewer === null) return conflicts.map(({ since: _, ...conflict }) => conflict)
  return conflicts.flatMap(({ since, ...conflict }): Conflict[] => {
    const { id, base, theirs } = conflict
    const then = viewer.at(reader, since)
    const isUnknown = (component: Component | null, at: Viewer): boolean =>
      component !== null && isUnknownTo(at, idOf(component))
    if (isUnknown(base, then) || isUnknown(theirs, viewer) || isUnknownTo(viewer, id)) return []
    if (!isAuthor && !isIdVisible(id, viewer)) return []
    const hides = (component: Component | null, at: Viewer): boolean =>
      component !== null && !at.visibility.canSeeComponent(component)
    return hides(base, then) || hides(theirs, viewer)
      ? [{ ...conflict, base: null, theirs: null, hidden: hiddenLabel }]
      : [conflict]
  })
}

function staleGeneration(conflicts: readonly Conflict[], active: number): AlmanacError {
  if (conflicts.length === 0)
    return new AlmanacError(
      'conflict.stale_generation',
      `Generation ${active} changed something that you cannot see and that your change list also changes. Create a new plan against generation ${active}.`,
    )
  return new AlmanacError(
    'conflict.stale_generation',
    `Generation ${active} changed ${formatConflictIds(conflicts)} since you read it, and your change list changes it too. Compare base, theirs and mine, then apply against generation ${active}.`,
    { details: conflicts },
  )
}
