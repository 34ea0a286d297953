// What became of one component, or of one key of a set, generation by generation (specification 4.5; studio: history).
import { OverlayView } from '#kernel/change/index.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { KeySpell } from '../ports/identities.ts'
import type { AuditRow, GenerationRow, OrgReader } from '../ports/org-store.ts'
import { changeOf, renamedFromIn } from './past-changes.ts'
import type { ChangeRow } from './request.ts'
import { rowOf } from './told.ts'

export interface HistoryEvent {
  generation: GenerationRow
  /** In the order of ids; none where the content of that time was purged. */
  changes: ChangeRow[]
}

export interface HistoryPage {
  /** Newest first. */
  events: HistoryEvent[]
  /** How many generations changed it. */
  total: number
  /** The generation below which to go on; null where the history is whole. */
  before: number | null
}

interface Page {
  before?: number | undefined
  limit: number
}

/** Of one component, under this id and under the keys that it had before. */
export function componentHistoryOf(reader: OrgReader, id: ComponentId, page: Page): HistoryPage {
  const spells = spellsOf(reader, id)
  const versions = spells.flatMap((spell) =>
    reader.versions(spell.id).filter(({ from }) => isWithin(spell, from)),
  )
  const starts = new Set(versions.map(({ from }) => from))
  const ends = versions.flatMap(({ to }) => (to === null || starts.has(to) ? [] : [to]))
  const generations = [...starts, ...ends].sort((a, b) => b - a)
  return paged(reader, generations, page, (_before, _after, generation) => [
    spells.find((spell) => isWithin(spell, generation))?.id ?? id,
  ])
}

/** Its audit, newest first, under this id and under the keys that it had before. */
export function componentAuditOf(reader: OrgReader, id: ComponentId, limit: number): AuditRow[] {
  return spellsOf(reader, id)
    .toReversed()
    .flatMap((spell) =>
      reader
        .audit({ component: spell.id, limit })
        .filter(({ generation }) => (generation === null ? spell.to === null : isWithin(spell, generation))),
    )
    .slice(0, limit)
}

/**
 * The spans of the component that is active under an id, oldest first: what a different one was under the same key is
 * its own. Of an id that is not active, everything that it was.
 */
function spellsOf(reader: OrgReader, id: ComponentId): KeySpell[] {
  const identity = reader.identityOf(reader.activeGeneration(), id)
  return identity === undefined ? [{ id, from: 0, to: null }] : reader.spellsOf(identity)
}

const isWithin = ({ from, to }: KeySpell, generation: number): boolean =>
  from <= generation && (to === null || generation < to)

/** Of all entries of one business key of a set, under this name of the set and under those that it had before. */
export function keyHistoryOf(reader: OrgReader, set: string, key: string | null, page: Page): HistoryPage {
  const owner = ownerTypes.find((type) => reader.identityOf(reader.activeGeneration(), `${type}/${set}`))
  const spells = spellsOf(reader, `${owner ?? 'config_set'}/${set}`)
  const generations = new Set(
    spells.flatMap((spell) =>
      reader.generationsOfKey(splitId(spell.id).key, key).filter((each) => isWithin(spell, each)),
    ),
  )
  const newestFirst = [...generations].sort((a, b) => b - a)
  return paged(reader, newestFirst, page, (before, after, generation) => {
    const spell = spells.find((each) => isWithin(each, generation))
    const name = spell === undefined ? set : splitId(spell.id).key
    const ids = new Set<ComponentId>()
    for (const view of [before, after]) for (const entry of view.entriesAt(name, key)) ids.add(idOf(entry))
    const owners = ownerTypes.map((type): ComponentId => `${type}/${name}`)
    return [...owners, ...[...ids].sort()].filter(
      (id) => reader.digestOf(generation - 1, id) !== reader.digestOf(generation, id),
    )
  })
}

const ownerTypes = ['config_set', 'feature_flag'] as const

function paged(
  reader: OrgReader,
  generations: readonly number[],
  { before = Infinity, limit }: Page,
  idsIn: (before: ComponentView, after: ComponentView, generation: number) => readonly ComponentId[],
): HistoryPage {
  const below = generations.filter((generation) => generation < before)
  const shown = below.slice(0, limit)
  const events = shown.flatMap((generation): HistoryEvent[] => {
    const row = reader.generation(generation)
    if (row === undefined) return []
    return [{ generation: row, changes: changesIn(reader, generation, idsIn) }]
  })
  return { events, total: generations.length, before: below.length > limit ? shown.at(-1)! : null }
}

function changesIn(
  reader: OrgReader,
  generation: number,
  idsIn: (before: ComponentView, after: ComponentView, generation: number) => readonly ComponentId[],
): ChangeRow[] {
  const views = viewsAround(reader, generation)
  if (views === null) return []
  const [before, after] = views
  return idsIn(before, after, generation).map((id) => {
    const change = changeOf(id, renamedFromIn(reader, generation, id) ?? id, before, after)
    return rowOf(change, change.kind === 'removed' ? before : after, [], undefined)
  })
}

/** Null where one of them was purged. */
function viewsAround(reader: OrgReader, generation: number): [OverlayView, OverlayView] | null {
  try {
    return [new OverlayView(reader.view(generation - 1)), new OverlayView(reader.view(generation))]
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return null
    throw error
  }
}
