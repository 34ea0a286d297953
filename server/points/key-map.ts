// The values of one key in each generation that changed it, by date: costs only the key's own history, not the org's.
import { changeSpans } from '#kernel/change/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { splitId } from '#kernel/components/component.ts'
import { normaliseBusinessKey } from '#kernel/components/config-entry/business-key.ts'
import {
  lazySetSlice,
  segmentsOf,
  type KeyHistoryView,
  type KeyHistoryRow,
  type Segment,
} from '#kernel/config/index.ts'
import { dayOf } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireScopePath } from '../access/index.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import { previousKeyOf, requireSetAt, spellsOfSet } from './set-at-generation.ts'

export interface KeyMapRequest {
  actor: string
  set: string
  key: string | null
  scope: ScopePath
  /** Returns only generations below this one. */
  before?: number | undefined
  limit: number
}

/** @throws AlmanacError config.unknown_set, access.denied */
export function keyMap(store: OrgStore, request: KeyMapRequest): KeyHistoryView {
  return store.read((reader) => {
    const { set, scope, limit } = request
    const last = lastGeneration(reader, set)
    const { definition, view } = requireSetAt(reader, request.actor, set, last ?? reader.generations.active())
    requireScopePath(reader, scope, [view, reader.generations.view(reader.generations.active())])
    const keyedBy = definition.type === 'config_set' ? definition.body.keyedBy : undefined
    const key =
      request.key === null || keyedBy === undefined ? request.key : normaliseBusinessKey(keyedBy, request.key)
    const all = linesOf(reader, set, key)
    const below = all.filter(({ generation }) => generation < (request.before ?? Infinity))
    // One more, to show what the last of them changed.
    const rowsOfPage = below.slice(0, limit + 1).map(({ generation, name }) => ({
      generation,
      segments: segmentsAt(reader, name, key, scope, generation),
    }))
    const rows = rowsOfPage.slice(0, limit).flatMap(({ generation, segments }, at): KeyHistoryRow[] => {
      const row = reader.generations.get(generation)
      if (row === undefined || segments === null) return []
      const earlier = rowsOfPage[at + 1]?.segments ?? []
      const { at: when, actor, rationale } = row
      return [
        {
          ...{ generation, at: when, actor, rationale, segments },
          changes: changeSpans(rowsOf(earlier), rowsOf(segments)),
        },
      ]
    })
    const earlier = previousKeyOf(reader, set)
    return {
      ...{ set, key, scope, generations: rows, total: all.length },
      before: below.length > limit ? below[limit - 1]!.generation : null,
      days: daysOf(rows),
      earlier: earlier === null ? null : { set: earlier.key, until: earlier.generation - 1 },
      last,
    }
  })
}

/** The last generation that had a set or flag which no longer exists; null if it is active, or never existed. */
function lastGeneration(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  set: string,
): number | null {
  const end = spellsOfSet(reader, set).at(-1)?.to ?? null
  return end === null ? null : end - 1
}

interface Line {
  generation: number
  /** The name of the set in that generation. */
  name: string
}

/** Generations that changed the key, newest first, under every name that the set had. */
function linesOf(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  set: string,
  key: string | null,
): Line[] {
  const spells = spellsOfSet(reader, set).reverse()
  return spells.flatMap(({ id, from, to }, at): Line[] => {
    const name = splitId(id).key
    // The generation that ended a span is part of the next one, unless it removed the set.
    const ends = to === null || (at > 0 && spells[at - 1]!.from === to) ? (to ?? Infinity) : to + 1
    return reader.generations
      .ofKey(name, key)
      .filter((generation) => from <= generation && generation < ends)
      .map((generation) => ({ generation, name }))
  })
}

/** Null if the generation's content was purged. */
function segmentsAt(
  reader: Pick<OrgReader, 'generations'>,
  set: string,
  key: string | null,
  scope: ScopePath,
  generation: number,
): Segment[] | null {
  if (!isHeld(reader, generation)) return null
  const view = reader.generations.view(generation)
  const definition = view.get('config_set', set) ?? view.get('feature_flag', set)
  return definition === undefined ? [] : segmentsOf(lazySetSlice(definition, view), key ?? '', scope)
}

function isHeld(reader: Pick<OrgReader, 'generations'>, generation: number): boolean {
  try {
    reader.generations.view(generation)
    return true
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return false
    throw error
  }
}

function rowsOf(segments: readonly Segment[]): { from: number; to: number; values: Segment['values'] }[] {
  return segments.map(({ from, to, values }) => ({
    from: from === null ? -Infinity : dayOf(from),
    to: to === null ? Infinity : dayOf(to),
    values,
  }))
}

function daysOf(rows: readonly KeyHistoryRow[]): string[] {
  const days = new Set<string>()
  for (const { segments } of rows)
    for (const { from, to } of segments) for (const day of [from, to]) if (day !== null) days.add(day)
  return [...days].sort()
}
