// The drafts as engines reach them. A reader keeps summaries until the next write; a transactor, which may be rolled
// back, does not.
import type { DraftTable, WritableDraftTable } from '../../ports/draft-table.ts'
import type { Db } from './db.ts'
import {
  deleteDiscardedDrafts,
  discardedBatch,
  restoreDiscardedDraft,
  saveDiscardedDrafts,
} from './discarded-drafts.ts'
import {
  cachedDraftBriefs,
  cachedDraftsMark,
  deleteDraft,
  draft,
  draftBriefs,
  draftBriefSteps,
  draftCount,
  draftIdsOf,
  drafts,
  draftsOfType,
  draftsMark,
  longestDraftOf,
  putDraft,
  restoredByDrafts,
  setRestored,
} from './drafts.ts'

export function sqliteDraftTable(db: Db): DraftTable {
  return {
    all: () => drafts(db),
    ofType: (type) => draftsOfType(db, type),
    longestOf: (type) => longestDraftOf(db, type),
    summaries: () => cachedDraftBriefs(db),
    summarySteps: () => draftBriefSteps(db),
    idsOf: (author) => draftIdsOf(db, author),
    count: () => draftCount(db),
    etag: () => cachedDraftsMark(db),
    get: (id) => draft(db, id),
    restoredIdentities: () => restoredByDrafts(db),
    lastDiscardedBatch: (user) => discardedBatch(db, user),
  }
}

export function writableDraftTable(db: Db, table: DraftTable): WritableDraftTable {
  return {
    ...table,
    summaries: () => draftBriefs(db),
    *summarySteps() {
      const briefs = draftBriefs(db)
      yield
      return briefs
    },
    etag: () => draftsMark(db),
    put: (row) => putDraft(db, row),
    setRestored: (id, identity) => setRestored(db, id, identity),
    delete: (id) => deleteDraft(db, id),
    saveDiscardedBatch: (batch, ids) => saveDiscardedDrafts(db, batch, ids),
    restoreDiscarded: (user, id) => restoreDiscardedDraft(db, user, id),
    deleteDiscarded: (user) => deleteDiscardedDrafts(db, user),
  }
}
