// The effects of a change list on sets and flags: their digests, and the bytes of their slices
// (docs/reference/bindings-and-evidence.md).
import {
  afterOf,
  beforeOf,
  componentDigest,
  setDigestOfText,
  type Change,
  type Sha256,
} from '#kernel/change/index.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { bytesInSlice } from '#kernel/config/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { SetSummary, SetSummariesWrite } from '../ports/sets.ts'

/**
 * The number of bytes by which the slice of each set or flag that a change list touches grows or shrinks. Only the
 * changes are read: the bytes of a slice are the sum of those of its components.
 */
export function sliceGrowth(
  changes: readonly Change[],
  base: ComponentView,
  candidate: ComponentView,
): Map<string, number> {
  const growth = new Map<string, number>()
  addBytes(growth, changes.map(beforeOf), base, -1)
  addBytes(growth, changes.map(afterOf), candidate, 1)
  return growth
}

/** Entries of a set that the view does not have are in no slice. */
function addBytes(
  growth: Map<string, number>,
  components: readonly (Component | null)[],
  view: ComponentView,
  sign: 1 | -1,
): void {
  const defined = new Map<string, boolean>()
  for (const component of components) {
    const set = component === null ? null : setOf(component)
    if (component === null || set === null) continue
    let isDefined = defined.get(set)
    if (isDefined === undefined) defined.set(set, (isDefined = definitionOf(view, set) !== undefined))
    growth.set(set, (growth.get(set) ?? 0) + (isDefined ? sign * bytesInSlice(component) : 0))
  }
}

/** The set or flag whose slice contains something of a component. */
function setOf(component: Component): string | null {
  if (component.type === 'config_entry') return component.body.set
  return component.type === 'config_set' || component.type === 'feature_flag' ? component.key : null
}

export function definitionOf(
  view: ComponentView,
  set: string,
): ComponentOf<'config_set'> | ComponentOf<'feature_flag'> | undefined {
  return view.get('config_set', set) ?? view.get('feature_flag', set)
}

/** The facts of every touched set, after `generation` is written over `base`. */
export function setFactsAfter(
  reader: Pick<OrgReader, 'sets'>,
  { base, generation }: { base: number; generation: number },
  candidate: ComponentView,
  growth: ReadonlyMap<string, number>,
  sha256: Sha256,
): SetSummariesWrite {
  const sets: SetSummary[] = []
  const gone: string[] = []
  for (const [set, grown] of growth) {
    const before = reader.sets.summary(base, set)
    const definition = definitionOf(candidate, set)
    if (definition === undefined) {
      if (before !== undefined) gone.push(set)
      continue
    }
    const own = componentDigest(definition as Component, sha256)
    const digest = setDigestOfText(own, reader.sets.entryDigests(generation, set), sha256)
    sets.push({ set, digest, bytes: (before?.bytes ?? 0) + grown })
  }
  return { sets, removed: gone }
}
