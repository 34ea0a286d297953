// Discards drafts and keeps a way back: a user's last discarded drafts are kept for a day, and can be restored exactly.
import { isEntryId, type ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { DiscardedDrafts } from '#wire/index.ts'
import type { Viewer, Actor } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import {
  deleteDiscardedBatch,
  discardedBatchOf,
  storeDiscardedBatch,
  ownDraftIds,
  restoreDraft,
  visibleDraft,
  visibleDraftBriefs,
} from './draft-access.ts'
import { discardDraft } from './drafts.ts'

type Discarded = NonNullable<ReturnType<typeof discardedBatchOf>>

const dayMs = 24 * 60 * 60 * 1000

export interface DraftDiscard {
  /** Identifies the discarded drafts when they are restored. */
  id: string
  actor: Actor
  /** `own` for every draft that only the user wrote. */
  drafts: readonly ComponentId[] | 'own'
  /** Whether drafts that other users wrote or changed are allowed among them. */
  includesOthers: boolean
  viewer: Viewer | null
}

/** Discards all or none. @throws AlmanacError draft.not_found, conflict.stale_draft naming the drafts of others */
export function discardDrafts(
  transactor: OrgTransactor,
  discard: DraftDiscard,
  clock: Clock,
): DiscardedDrafts {
  const { id, actor, viewer } = discard
  const user = actor.actor
  const own = new Set(ownDraftIds(transactor, user))
  const ids = discard.drafts === 'own' ? [...own] : [...new Set(discard.drafts)]
  const others = discard.includesOthers ? [] : ids.filter((each) => !own.has(each))
  if (ids.length === 0) throw new AlmanacError('draft.not_found', 'You have no drafts to discard.')
  for (const each of ids)
    if (!own.has(each) && visibleDraft(transactor, each, viewer) === undefined)
      throw new AlmanacError('draft.not_found', `The draft of ${each} does not exist. Nothing was discarded.`)
  const [first] = others
  if (first !== undefined)
    throw new AlmanacError(
      'conflict.stale_draft',
      `${visibleDraft(transactor, first, viewer)!.changedBy} wrote or changed the draft of ${first}. Nothing was discarded.`,
      { details: others.map((each) => ({ id: each })) },
    )
  const at = clock.now()
  storeDiscardedBatch(transactor, { id, user, at }, ids)
  for (const each of ids) discardDraft(transactor, each, { actor, viewer }, clock)
  return { id, at, until: untilOf(at), drafts: ids }
}

/** The user's last discarded drafts, while they can be restored. */
export function lastDiscardedBatch(reader: OrgReader, user: string, clock: Clock): DiscardedDrafts | null {
  const found = liveDiscarded(reader, user, clock)
  return found === undefined ? null : viewOf(found)
}

function liveDiscarded(reader: OrgReader, user: string, clock: Clock): Discarded | undefined {
  const found = discardedBatchOf(reader, user)
  return found === undefined || untilOf(found.at) <= clock.now() ? undefined : found
}

function viewOf({ id, at, drafts }: Discarded): DiscardedDrafts {
  return { id, at, until: untilOf(at), drafts: drafts.map((each) => each.id) }
}

/**
 * Restores text, base, version, author and time of every draft.
 * @throws AlmanacError draft.not_found if there is nothing to restore; conflict.stale_draft naming drafts made since
 */
export function restoreDiscardedBatch(
  transactor: OrgTransactor,
  { id, user, viewer }: Pick<DraftDiscard, 'id' | 'viewer'> & { user: string },
  clock: Clock,
): { discarded: DiscardedDrafts; versions: number[] } {
  const batch = liveDiscarded(transactor, user, clock)
  if (batch?.id !== id)
    throw new AlmanacError(
      'draft.not_found',
      'These drafts can no longer be restored, because you have since discarded other drafts, or a day has passed.',
    )
  const { drafts } = batch
  const existing = new Set(visibleDraftBriefs(transactor, null).map((brief) => brief.id))
  const existingDrafts = drafts.filter((each) => existing.has(each.id))
  const [first] = existingDrafts
  if (first !== undefined)
    throw new AlmanacError(
      'conflict.stale_draft',
      `There is a new draft of ${first.id}. Nothing was restored. Apply or discard the new draft first.`,
      { details: existingDrafts.map((each) => ({ id: each.id })) },
    )
  for (const each of setsFirst(drafts)) restoreDraft(transactor, user, each.id, viewer)
  deleteDiscardedBatch(transactor, user)
  return { discarded: viewOf(batch), versions: drafts.map(({ version }) => version) }
}

/** Deletes the user's discarded drafts for good. */
export function forgetDiscardedBatch(transactor: OrgTransactor, id: string, user: string): void {
  if (discardedBatchOf(transactor, user)?.id === id) deleteDiscardedBatch(transactor, user)
}

/** Entries of a set that is itself a draft need the set first. */
function setsFirst(drafts: Discarded['drafts']): Discarded['drafts'] {
  return drafts.toSorted((a, b) => Number(isEntryId(a.id)) - Number(isEntryId(b.id)))
}

function untilOf(at: string): string {
  return new Date(Date.parse(at) + dayMs).toISOString()
}
