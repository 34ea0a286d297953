// The operations on drafts: who can write them, in one transaction each, and who is informed about it.
import type { Sha256 } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { DiscardedDrafts } from '#wire/index.ts'
import { effectiveAccess, requireAuthorPermission, type Actor } from '../access/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { CompanionWrite, CompanionWriters } from '../ports/companion-writes.ts'
import type { OrgReader, OrgTransactor } from '../ports/org-store.ts'
import { writeCompanion } from './companion-writes.ts'
import {
  discardDrafts,
  forgetDiscardedBatch,
  restoreDiscardedBatch,
  type DraftDiscard,
} from './discard-drafts.ts'
import { saveDraftBatch, type DraftBatch, type SavedDraftVersion } from './draft-batch.ts'
import {
  discardDraft,
  discardDraftsOf,
  parseAhead,
  saveDraft,
  type DraftDiscardContext,
  type DraftSave,
  type SavedDraft,
} from './drafts.ts'
import { renameDraft, type DraftRename, type RenamedDraft } from './rename-draft.ts'

export interface DraftChange {
  id: ComponentId
  /** 0 if the draft no longer exists. */
  version: number
  /** The user who changed it. */
  author: string
}

/** All of them throw AlmanacError access.denied if the actor is not an operator and cannot author. */
export interface DraftOperations {
  saveDraft(save: DraftSave): Promise<SavedDraft>
  /** Saves several drafts of the actor at once, together with `companion`: all or none. */
  saveDrafts(actor: Actor, saves: readonly DraftSave[], companion?: CompanionWrite): Promise<SavedDraft[]>
  /** Saves, edits and discards several at once: all or none. */
  saveDraftBatch(batch: DraftBatch): Promise<SavedDraftVersion[]>
  discardDraft(id: ComponentId, drop: DraftDiscardContext): Promise<void>
  /** Discards all shown drafts of these authors. */
  discardDraftsOf(
    authors: readonly string[],
    drop: DraftDiscardContext,
  ): Promise<{ discarded: number; left: number }>
  /** Discards several at once: all or none. They can be restored for a day. */
  discardDrafts(discard: Omit<DraftDiscard, 'id'>): Promise<DiscardedDrafts>
  restoreDrafts(id: string, context: DraftDiscardContext): Promise<DiscardedDrafts>
  /** Deletes the actor's discarded drafts for good; needs no permission. */
  forgetDrafts(id: string, actor: Actor): Promise<void>
  renameDraft(rename: DraftRename): Promise<RenamedDraft>
  /** Called after the transaction of each change. Returns a function that removes the listener. */
  onDraftChange(listener: (change: DraftChange) => void): () => void
}

export interface DraftOperationsDeps {
  clock: Clock
  ids: IdGenerator
  sha256: Sha256
  companionWriters: CompanionWriters | undefined
  write<T>(work: (transactor: OrgTransactor) => T): Promise<T>
}

export function createDraftOperations({
  clock,
  ids,
  sha256,
  companionWriters,
  write,
}: DraftOperationsDeps): DraftOperations {
  const listeners = new Set<(change: DraftChange) => void>()
  const report = ({ actor }: Actor, changes: readonly { id: ComponentId; version: number }[]): void => {
    for (const { id, version } of changes)
      for (const listener of [...listeners]) listener({ id, version, author: actor })
  }
  const discardsOf = (drafts: readonly ComponentId[]) => drafts.map((id) => ({ id, version: 0 }))
  const writeAsAuthor = <T>(by: Actor, work: (transactor: OrgTransactor) => T): Promise<T> =>
    write((transactor) => {
      requireAuthor(transactor, by)
      return work(transactor)
    })

  return {
    saveDraft: async (save) => {
      const parsed = { ...save, ...parseAhead(save) }
      const saved = await writeAsAuthor(save.actor, (transactor) =>
        saveDraft(transactor, parsed, clock, sha256),
      )
      report(save.actor, [saved.draft])
      return saved
    },
    saveDrafts: async (actor, saves, companion) => {
      if (saves.length === 0 && companion === undefined) return []
      const parsed = saves.map((save) => ({ ...save, ...parseAhead(save) }))
      const { saved, discarded } = await writeAsAuthor(actor, (transactor) => {
        const discarded =
          companion === undefined ? [] : writeCompanion({ companionWriters }, transactor, companion)
        return { saved: parsed.map((save) => saveDraft(transactor, save, clock, sha256)), discarded }
      })
      report(
        actor,
        saved.flatMap(({ draft, unchanged }) => (unchanged ? [] : [draft])),
      )
      report(actor, discardsOf(discarded))
      return saved
    },
    saveDraftBatch: async (batch) => {
      const drafts = batch.drafts.map((draft) => ({ ...draft, ...parseAhead(draft) }))
      const saved = await writeAsAuthor(batch.actor, (transactor) =>
        saveDraftBatch(transactor, { ...batch, drafts }, clock, sha256),
      )
      report(batch.actor, saved)
      return saved
    },
    discardDraft: async (id, drop) => {
      await writeAsAuthor(drop.actor, (transactor) => discardDraft(transactor, id, drop, clock))
      report(drop.actor, discardsOf([id]))
    },
    discardDraftsOf: async (authors, drop) => {
      const { discarded, left } = await writeAsAuthor(drop.actor, (transactor) =>
        discardDraftsOf(transactor, authors, drop, clock),
      )
      report(drop.actor, discardsOf(discarded))
      return { discarded: discarded.length, left }
    },
    discardDrafts: async (discard) => {
      const done = await writeAsAuthor(discard.actor, (transactor) =>
        discardDrafts(transactor, { ...discard, id: ids.uuid() }, clock),
      )
      report(discard.actor, discardsOf(done.drafts))
      return done
    },
    restoreDrafts: async (id, { actor, viewer }) => {
      const { discarded, versions } = await writeAsAuthor(actor, (transactor) =>
        restoreDiscardedBatch(transactor, { id, user: actor.actor, viewer }, clock),
      )
      report(
        actor,
        discarded.drafts.map((each, at) => ({ id: each, version: versions[at]! })),
      )
      return discarded
    },
    forgetDrafts: (id, { actor }) => write((transactor) => forgetDiscardedBatch(transactor, id, actor)),
    renameDraft: async (rename) => {
      const renamed = await writeAsAuthor(rename.actor, (transactor) =>
        renameDraft(transactor, rename, clock, sha256),
      )
      report(rename.actor, [renamed.draft])
      return renamed
    },
    onDraftChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** @throws AlmanacError access.denied */
function requireAuthor(reader: OrgReader, by: Actor): void {
  if (by.isOperator === true) return
  requireAuthorPermission(
    effectiveAccess(reader, by.actor, reader.generations.view(reader.generations.active())),
  )
}
