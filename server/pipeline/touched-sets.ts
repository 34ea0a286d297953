// The effects of a change list on sets and flags: their digests, and the bytes of their slices
// (docs/reference/bindings-and-evidence.md).
import {
  afterOf,
  beforeOf,
  businessKeyOf,
  componentDigest,
  setDigestOfText,
  type Change,
  type Digest,
  type Sha256,
} from '#kernel/change/index.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { SliceBuilder } from '#kernel/config/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { SetSummary, SetSummariesWrite } from '../ports/sets.ts'

/** Set or flag → the business keys whose rows change; empty if only its definition does. */
export type TouchedSets = ReadonlyMap<string, ReadonlySet<string | null>>

export function touchedSets(changes: readonly Change[]): TouchedSets {
  const touched = new Map<string, Set<string | null>>()
  const keysOf = (set: string): Set<string | null> => {
    let keys = touched.get(set)
    if (keys === undefined) touched.set(set, (keys = new Set()))
    return keys
  }
  for (const change of changes)
    for (const component of [beforeOf(change), afterOf(change)]) {
      if (component?.type === 'config_entry') keysOf(component.body.set).add(businessKeyOf(component))
      else if (component?.type === 'config_set' || component?.type === 'feature_flag') keysOf(component.key)
    }
  return touched
}

/** The number of bytes by which each touched set's slice grows or shrinks. */
export function sliceGrowth(
  touched: TouchedSets,
  base: ComponentView,
  candidate: ComponentView,
): Map<string, number> {
  const growth = new Map<string, number>()
  for (const [set, keys] of touched) growth.set(set, growthOfSet(set, keys, base, candidate))
  return growth
}

/** Of the rows of these keys; the sizes of rows add up, so the rest of a large set is not read. */
function growthOfSet(
  set: string,
  keys: ReadonlySet<string | null>,
  base: ComponentView,
  candidate: ComponentView,
): number {
  const before = definitionOf(base, set)
  const after = definitionOf(candidate, set)
  const rowsBefore = before === undefined ? null : new SliceBuilder(before)
  const rowsAfter = after === undefined ? null : new SliceBuilder(after)
  // Key by key, because the candidate reads the same entries of the base.
  for (const key of keys) {
    if (rowsAfter !== null) for (const entry of candidate.entriesAt(set, key)) rowsAfter.add(entry)
    if (rowsBefore !== null) for (const entry of base.entriesAt(set, key)) rowsBefore.add(entry)
  }
  return bytesOf(rowsAfter) - bytesOf(rowsBefore)
}

function bytesOf(rows: SliceBuilder | null): number {
  return rows === null ? 0 : rows.finish('' as Digest).bytes
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
