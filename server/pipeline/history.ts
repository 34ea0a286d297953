// The history of one component, or of one key of a set, generation by generation.
import { OverlayView } from '#kernel/change/index.ts'
import { idOf, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer } from '../access/index.ts'
import { includesGeneration, type KeyPeriod } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { AuditRow, GenerationRow, VersionRow } from '#wire/index.ts'
import { changeOf, idBeforeRename } from './past-changes.ts'
import type { ChangeRow } from './request.ts'
import { isIdVisible, redactAuditRow, narrowView, viewerAt } from './id-visibility.ts'
import { rowOf } from './change-redaction.ts'

export interface HistoryEvent {
  generation: GenerationRow
  /** In the order of ids; empty if the content of that time was purged. */
  changes: ChangeRow[]
}

export interface HistoryPage {
  /** Newest first. */
  events: HistoryEvent[]
  /** How many generations changed it. */
  total: number
  /** The generation before which to continue; null if the history is complete. */
  before: number | null
}

export interface HistoryQuery {
  /** The viewer; null for everything. */
  viewer: Viewer | null
  before?: number | undefined
  limit: number
}

/** The history of one component, under this id and under the keys that it had before. */
export function componentHistoryOf(reader: OrgReader, id: ComponentId, query: HistoryQuery): HistoryPage {
  const spells = spellsOf(reader, id, query.viewer)
  const versions = versionsIn(reader, spells)
  const starts = new Set(versions.map(({ from }) => from))
  const ends = versions.flatMap(({ to }) => (to === null || starts.has(to) ? [] : [to]))
  const generations = [...starts, ...ends].sort((a, b) => b - a)
  return historyPageOf(reader, generations, query, (_before, _after, generation) => [
    spells.find((spell) => includesGeneration(spell, generation))?.id ?? id,
  ])
}

/** Versions of the component under this id. */
export function componentVersionsOf(reader: OrgReader, id: ComponentId, viewer: Viewer | null): VersionRow[] {
  return versionsIn(
    reader,
    spellsOf(reader, id, viewer).filter((spell) => spell.id === id),
  )
}

/** The component's audit, newest first, under this id and under the keys that it had before. */
export function componentAuditOf(
  reader: OrgReader,
  id: ComponentId,
  { viewer, limit }: HistoryQuery,
): AuditRow[] {
  return spellsOf(reader, id, viewer)
    .toReversed()
    .flatMap((spell) =>
      reader.audit
        .list({ component: spell.id, limit })
        .filter(({ generation }) =>
          generation === null ? spell.to === null : includesGeneration(spell, generation),
        ),
    )
    .slice(0, limit)
    .map((row) => redactAuditRow(reader, row, viewer))
}

function versionsIn(reader: Pick<OrgReader, 'components'>, spells: readonly KeyPeriod[]): VersionRow[] {
  const rows = new Map<ComponentId, VersionRow[]>()
  return spells.flatMap((spell) => {
    const all = rows.get(spell.id) ?? reader.components.versions(spell.id)
    rows.set(spell.id, all)
    return all.filter(({ from }) => includesGeneration(spell, from))
  })
}

/**
 * The spans of the component that is active under an id, oldest first: another component that had the same key is
 * not included. For an inactive id, everything that it was. Spans in which it belonged to something hidden are omitted.
 */
function spellsOf(reader: OrgReader, id: ComponentId, viewer: Viewer | null): KeyPeriod[] {
  const identity = reader.identities.at(reader.generations.active(), id)
  const spells =
    identity === undefined ? reader.identities.holders(id) : reader.identities.keyPeriods(identity)
  const visible = spells.flatMap((spell): KeyPeriod[] => {
    const each = 'id' in spell ? spell : { id, from: spell.from, to: spell.to }
    return isIdVisible(each.id, viewerAt(reader, viewer, each.from)) ? [each] : []
  })
  const isWhole = identity === undefined && visible.length === spells.length
  return isWhole ? [{ id, from: 0, to: null }] : visible
}

/** The history of all entries of one business key of a set, under this and earlier names of the set. */
export function keyHistoryOf(
  reader: OrgReader,
  set: string,
  key: string | null,
  query: HistoryQuery,
): HistoryPage {
  const owner = ownerTypes.find((type) => reader.identities.at(reader.generations.active(), `${type}/${set}`))
  const spells = spellsOf(reader, `${owner ?? 'config_set'}/${set}`, query.viewer)
  const generations = new Set(
    spells.flatMap((spell) =>
      reader.generations.ofKey(splitId(spell.id).key, key).filter((each) => includesGeneration(spell, each)),
    ),
  )
  const newestFirst = [...generations].sort((a, b) => b - a)
  return historyPageOf(reader, newestFirst, query, (before, after, generation) => {
    const spell = spells.find((each) => includesGeneration(each, generation))
    const name = spell === undefined ? set : splitId(spell.id).key
    const ids = new Set<ComponentId>()
    for (const view of [before, after]) for (const entry of view.entriesAt(name, key)) ids.add(idOf(entry))
    const owners = ownerTypes.map((type): ComponentId => `${type}/${name}`)
    return [...owners, ...[...ids].sort()].filter(
      (id) => reader.components.digest(generation - 1, id) !== reader.components.digest(generation, id),
    )
  })
}

const ownerTypes = ['config_set', 'feature_flag'] as const

function historyPageOf(
  reader: OrgReader,
  generations: readonly number[],
  { viewer, before = Infinity, limit }: HistoryQuery,
  idsIn: (before: ComponentView, after: ComponentView, generation: number) => readonly ComponentId[],
): HistoryPage {
  const below = generations.filter((generation) => generation < before)
  const page = below.slice(0, limit)
  const events = page.flatMap((generation): HistoryEvent[] => {
    const row = reader.generations.get(generation)
    if (row === undefined) return []
    return [{ generation: row, changes: changesIn(reader, generation, viewer, idsIn) }]
  })
  return { events, total: generations.length, before: below.length > limit ? page.at(-1)! : null }
}

function changesIn(
  reader: OrgReader,
  generation: number,
  viewer: Viewer | null,
  idsIn: (before: ComponentView, after: ComponentView, generation: number) => readonly ComponentId[],
): ChangeRow[] {
  const views = viewsAround(reader, generation, viewer)
  if (views === null) return []
  const [before, after] = views
  return idsIn(before, after, generation).flatMap((id) => {
    const from = idBeforeRename(reader, generation, id) ?? id
    // Another component may have had the same id.
    if (!hasComponent(before, from) && !hasComponent(after, id)) return []
    const change = changeOf(id, from, before, after)
    return rowOf(change, change.kind === 'removed' ? before : after, [], undefined)
  })
}

/** Null if one of them was purged. */
function viewsAround(
  reader: OrgReader,
  generation: number,
  viewer: Viewer | null,
): [OverlayView, OverlayView] | null {
  const at = (each: number): OverlayView =>
    new OverlayView(narrowView(reader.generations.view(each), viewerAt(reader, viewer, each)))
  try {
    return [at(generation - 1), at(generation)]
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return null
    throw error
  }
}

function hasComponent(view: ComponentView, id: ComponentId): boolean {
  const { type, key } = splitId(id)
  return view.has(type, key)
}
