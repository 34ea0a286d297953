// The only access to the drafts in the store: every read and write passes the viewer of its caller here. A draft of a
// component that the caller cannot see does not exist for them, and a write there is refused in the same way whether it
// exists or not.
import type { ComponentView } from '#kernel/components/view.ts'
import { isEntryId, splitId, type ComponentId, type ComponentType } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Viewer } from '../access/index.ts'
import {
  draftTable,
  type DiscardedBatch,
  type DraftReader,
  type DraftTransactor,
} from '../ports/draft-table.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader, OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { DraftSummary, DraftRow } from '#wire/index.ts'
import { createYielder, runInChunks } from './event-loop.ts'
import { addWriter } from './draft-writers.ts'
import { parseDraft } from './parse-draft.ts'
import { isRestoredHidden } from './restored-identity.ts'
import { isIdHidden, isIdVisible } from './id-visibility.ts'

/** The drafts that the caller sees; all of them if `viewer` is null. */
export function visibleDrafts(reader: OrgReader, viewer: Viewer | null): DraftRow[] {
  const rows = reader[draftTable].all()
  if (viewer === null) return rows
  return new DraftVisibility(reader, viewer).visibleRows(rows)
}

/** Those of some types, which is fast in an org with thousands of others. */
export function visibleDraftsOfTypes(
  reader: OrgReader,
  types: readonly ComponentType[],
  viewer: Viewer | null,
): DraftRow[] {
  const rows = types.flatMap((type) => reader[draftTable].ofType(type))
  return viewer === null ? rows : new DraftVisibility(reader, viewer).visibleRows(rows)
}

/** The same without texts, which is fast for thousands of drafts. */
export function visibleDraftBriefs(reader: OrgReader, viewer: Viewer | null): readonly DraftSummary[] {
  return filterVisibleBriefs(reader, reader[draftTable].summaries(), viewer)
}

function filterVisibleBriefs(
  reader: OrgReader,
  briefs: readonly DraftSummary[],
  viewer: Viewer | null,
): readonly DraftSummary[] {
  if (viewer === null) return briefs
  return new DraftVisibility(reader, viewer).visibleRows(briefs)
}

/** Number of briefs that are checked between two readings of the clock. */
const piece = 500

/** The same in pieces between other work, for readers of thousands of drafts. */
export async function visibleDraftBriefsInChunks(
  store: Pick<OrgStore, 'read'>,
  viewer: Viewer | null,
): Promise<readonly DraftSummary[]> {
  const breathe = createYielder()
  const briefs = await runInChunks(store.read((reader) => reader[draftTable].summarySteps()))
  if (viewer === null) return briefs
  const visible: DraftSummary[] = []
  for (let at = 0; at < briefs.length; at += piece) {
    await breathe()
    visible.push(...store.read((reader) => filterVisibleBriefs(reader, briefs.slice(at, at + piece), viewer)))
  }
  return visible
}

/** The named drafts that exist and that the caller can see. */
export function visibleDraftsByIds(
  reader: OrgReader,
  ids: readonly ComponentId[],
  viewer: Viewer | null,
): DraftRow[] {
  const rows = ids.flatMap((id) => reader[draftTable].get(id) ?? [])
  if (viewer === null) return rows
  return new DraftVisibility(reader, viewer).visibleRows(rows)
}

export function visibleDraft(
  reader: OrgReader,
  id: ComponentId,
  viewer: Viewer | null,
): DraftRow | undefined {
  const row = reader[draftTable].get(id)
  if (row === undefined || viewer === null) return row
  return new DraftVisibility(reader, viewer).visibleRows([row])[0]
}

/** The removed components that drafts restore, by the id of the draft. */
export function restoredIdentitiesOf(reader: DraftReader): ReadonlyMap<ComponentId, ComponentIdentity> {
  return reader[draftTable].restoredIdentities()
}

/** Records which removed component an existing draft restores. */
export function setRestoredIdentity(
  transactor: DraftTransactor,
  id: ComponentId,
  identity: ComponentIdentity,
): void {
  transactor[draftTable].setRestored(id, identity)
}

/** Drafts that only the user wrote. */
export function ownDrafts(reader: OrgReader, user: string): DraftRow[] {
  return ownDraftIds(reader, user).flatMap((id) => reader[draftTable].get(id) ?? [])
}

/** The same without texts, which is fast for thousands of drafts. */
export function ownDraftIds(reader: DraftReader, user: string): ComponentId[] {
  const own = reader[draftTable].summaries().filter((brief) => isOwnDraft(brief, user))
  return own.map(({ id }) => id)
}

/** Ids of an author's drafts, visible or not: for reads that then request them as the caller sees them. */
export function draftIdsOf(reader: OrgReader, author: string): ComponentId[] {
  return reader[draftTable].idsOf(author)
}

/**
 * A text that changes with the state of any draft, for caches; it contains nothing of the drafts' content and is never
 * shown.
 */
export function draftsMark(reader: DraftReader): string {
  return reader[draftTable].etag()
}

/** The number of drafts, visible or not: used to estimate the work of a read, and never shown. */
export function draftCount(reader: DraftReader): number {
  return reader[draftTable].count()
}

/** Bytes of the longest draft of a type, visible or not: used like their number. */
export function longestDraftOf(reader: DraftReader, type: ComponentType): number {
  return reader[draftTable].longestOf(type)
}

/** @throws AlmanacError access.denied if the caller must not author there, or if a draft that they do not see exists */
export function requireDraftAccess(reader: OrgReader, id: ComponentId, viewer: Viewer | null): void {
  if (viewer === null) return
  const drafts = new DraftVisibility(reader, viewer)
  const row = reader[draftTable].get(id)
  if ((row === undefined || drafts.canSee(row)) && drafts.canDraft(id)) return
  const set = splitId(id).key.split('.')[0]!
  throw new AlmanacError(
    'access.denied',
    `${viewer.user} cannot author ${id}. Choose a different key, or ask a user with access.manage for an edit grant on ${set}.`,
    { details: [{ id, permission: `edit:${set}` }] },
  )
}

/** The draft keeps its first author and all its writers. @throws AlmanacError access.denied */
export function putDraft(transactor: OrgTransactor, row: DraftRow, viewer: Viewer | null): DraftRow {
  requireDraftAccess(transactor, row.id, viewer)
  const { operator: _operator, ...own } = row
  const begun = transactor[draftTable].get(row.id) ?? row
  const operator = begun.operator === undefined ? {} : { operator: begun.operator }
  const writers = row.writers.reduce(addWriter, begun.writers)
  const draft: DraftRow = { ...own, author: begun.author, writers, ...operator }
  transactor[draftTable].put(draft)
  return viewer === null ? draft : new DraftVisibility(transactor, viewer).redact(draft)
}

/** Returns whether a draft that the caller sees existed. */
export function dropDraft(transactor: OrgTransactor, id: ComponentId, viewer: Viewer | null): boolean {
  if (visibleDraft(transactor, id, viewer) === undefined) return false
  transactor[draftTable].delete(id)
  return true
}

/** Keeps the drafts that the caller is about to discard, in place of those discarded before. */
export function storeDiscardedBatch(
  transactor: DraftTransactor,
  batch: Omit<DiscardedBatch, 'drafts'>,
  ids: readonly ComponentId[],
): void {
  transactor[draftTable].saveDiscardedBatch(batch, ids)
}

/** The user's last discarded drafts. */
export function discardedBatchOf(reader: DraftReader, user: string): DiscardedBatch | undefined {
  return reader[draftTable].lastDiscardedBatch(user)
}

export function deleteDiscardedBatch(transactor: DraftTransactor, user: string): void {
  transactor[draftTable].deleteDiscarded(user)
}

/** Restores a discarded draft with its version, writers and time. @throws AlmanacError access.denied */
export function restoreDraft(
  transactor: OrgTransactor,
  user: string,
  id: ComponentId,
  viewer: Viewer | null,
): void {
  requireDraftAccess(transactor, id, viewer)
  transactor[draftTable].restoreDiscarded(user, id)
}

/** Deletes drafts that were applied. What was typed since stays a draft. */
export function consumeDrafts(
  transactor: DraftTransactor,
  spent: Iterable<Pick<DraftRow, 'id' | 'version'>>,
): void {
  const table = transactor[draftTable]
  for (const { id, version } of spent) if (table.get(id)?.version === version) table.delete(id)
}

type DraftFacts = Pick<DraftSummary, 'id' | 'writers' | 'baseDigest' | 'baseGeneration'>

/** Whether only the user wrote the draft. */
export function isOwnDraft({ writers }: Pick<DraftFacts, 'writers'>, user: string): boolean {
  return writers.every((writer) => writer.user === user)
}

/** What one caller can see of the drafts in one read. */
class DraftVisibility {
  readonly #reader: OrgReader
  readonly #viewer: Viewer
  readonly #added = new Map<string, boolean>()
  #view: ComponentView | undefined
  #restored: ReadonlyMap<ComponentId, ComponentIdentity> | undefined

  constructor(reader: OrgReader, viewer: Viewer) {
    this.#reader = reader
    this.#viewer = viewer
  }

  /** The rows that the caller sees, in the form that they see. */
  visibleRows<D extends DraftFacts>(rows: readonly D[]): D[] {
    return rows.flatMap((row) => this.#seen(row) ?? [])
  }

  canSee(row: DraftFacts): boolean {
    return this.#seen(row) !== null
  }

  /** Omits the digest of hidden content, from which its value could be guessed. */
  redact<D extends DraftFacts>(row: D): D {
    return this.#redacted(row, isIdVisible(row.id, this.#viewer) && !this.#hidesBase(row))
  }

  /**
   * Called for each of thousands of drafts, so the facts that decide are looked up once. Null for a draft that does not
   * exist for the caller.
   */
  #seen<D extends DraftFacts>(row: D): D | null {
    const isShown = isIdVisible(row.id, this.#viewer)
    const hidesBase = this.#hidesBase(row)
    const shows = !hidesBase && (isShown || this.#showsPlace(row.id))
    return shows || isOwnDraft(row, this.#viewer.user) ? this.#redacted(row, isShown && !hidesBase) : null
  }

  #redacted<D extends DraftFacts>(row: D, keepsDigest: boolean): D {
    return keepsDigest || row.baseDigest === null ? row : { ...row, baseDigest: null }
  }

  /** Whether the draft began on a hidden component that had this key earlier, or restores a hidden one. */
  #hidesBase({ id, baseGeneration }: DraftFacts): boolean {
    if (isIdHidden(id, this.#viewer.at(this.#reader, baseGeneration))) return true
    this.#restored ??= restoredIdentitiesOf(this.#reader)
    const identity = this.#restored.get(id)
    return identity !== undefined && isRestoredHidden(this.#reader, identity, this.#viewer)
  }

  /** Whether the caller can start a draft there. */
  canDraft(id: ComponentId): boolean {
    if (this.#showsPlace(id)) return true
    const { type, key } = splitId(id)
    const set = key.split('.')[0]!
    // For a caller who sees every definition, a set that does not exist hides nothing.
    if (type === 'config_entry')
      return this.#isThere(set) ? this.#opensItself(set) : this.#viewer.canSeeAllDefinitions
    // A user without `metadata.author` cannot add a set, so an existing and a missing set are refused in the same way.
    return type === 'feature_flag' && !this.#isThere(set)
  }

  #showsPlace(id: ComponentId): boolean {
    if (isIdVisible(id, this.#viewer)) return true
    return isEntryId(id) && this.#isAdded(splitId(id).key.split('.')[0]!)
  }

  /** Whether only a draft that the caller sees adds the set or flag: its entries are not hidden by its absence. */
  #isAdded(set: string): boolean {
    const known = this.#added.get(set)
    if (known !== undefined) return known
    const added = this.#definitions(set).length > 0 && !this.#isThere(set)
    this.#added.set(set, added)
    return added
  }

  /** A drafted grant opens the set to a caller who can grant. */
  #opensItself(set: string): boolean {
    return this.#definitions(set).some((row) => {
      const component = row.text === null ? undefined : parseDraft(row).parsed?.component
      return component !== undefined && this.#viewer.canOpen(component)
    })
  }

  #definitions(set: string): DraftRow[] {
    const { user } = this.#viewer
    return (['config_set', 'feature_flag'] as const).flatMap((type) => {
      const row = this.#reader[draftTable].get(`${type}/${set}`)
      return row !== undefined && (isIdVisible(row.id, this.#viewer) || isOwnDraft(row, user)) ? [row] : []
    })
  }

  #isThere(set: string): boolean {
    this.#view ??= this.#reader.generations.view(this.#reader.generations.active())
    return this.#view.has('config_set', set) || this.#view.has('feature_flag', set)
  }
}
