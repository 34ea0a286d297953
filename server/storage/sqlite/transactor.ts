// Everything of a reader, and the writes; it ends with its transaction.
import type { OrgReader, OrgTransactor } from '../../ports/org-store.ts'
import { draftTable } from '../../ports/draft-table.ts'
import { appendAudit } from './audit.ts'
import { AuditChain } from './audit-chain.ts'
import { changeRequestWrites } from './change-requests.ts'
import { noteTime } from './clock.ts'
import type { Db } from './db.ts'
import { deleteDiscardedDrafts, saveDiscardedDrafts, restoreDiscardedDraft } from './discarded-drafts.ts'
import { deleteDraft, draftBriefs, draftIdsOf, draftsMark, putDraft, setRestored } from './drafts.ts'
import { putFacts } from './generations.ts'
import { peopleWrites } from './people.ts'
import { purgeBefore } from './purge.ts'
import { remoteWrites } from './remotes.ts'
import { putResult } from './results.ts'
import { signInWrites } from './sign-ins.ts'
import { workspaceWrites } from './workspaces.ts'
import { writeGeneration, writeSetFacts } from './write-generation.ts'

export interface OpenTransactor {
  transactor: OrgTransactor
  /** Writes what is pending before the commit. */
  finish: () => void
  /** Makes every later use of the transactor throw. */
  end: () => void
}

export function sqliteTransactor(db: Db, reader: OrgReader): OpenTransactor {
  const chain = new AuditChain(db)
  const methods: OrgTransactor = {
    ...reader,
    ...peopleWrites(db),
    ...signInWrites(db),
    ...remoteWrites(db),
    ...changeRequestWrites(db),
    ...workspaceWrites(db),
    writeGeneration: (write) => writeGeneration(db, chain, write),
    writeSetSummaries: (generation, write) => writeSetFacts(db, generation, write),
    appendAudit: (row) => appendAudit(chain, row),
    [draftTable]: {
      ...reader[draftTable],
      summaries: () => draftBriefs(db),
      // Not cached, because the write may be rolled back.
      *summarySteps() {
        const briefs = draftBriefs(db)
        yield
        return briefs
      },
      idsOf: (author) => draftIdsOf(db, author),
      etag: () => draftsMark(db),
      put: (row) => putDraft(db, row),
      setRestored: (id, identity) => setRestored(db, id, identity),
      delete: (id) => deleteDraft(db, id),
      saveDiscardedBatch: (batch, ids) => saveDiscardedDrafts(db, batch, ids),
      restoreDiscarded: (user, id) => restoreDiscardedDraft(db, user, id),
      deleteDiscarded: (user) => deleteDiscardedDrafts(db, user),
    },
    putResult: (row) => putResult(db, row),
    recordTime: (at) => noteTime(db, at),
    putProperties: (facts) => putFacts(db, facts),
    purgeBefore: (generation) => purgeBefore(db, generation),
  }
  const { proxy, revoke } = Proxy.revocable(methods, {})
  return { transactor: proxy, finish: () => chain.finish(), end: revoke }
}
