// Everything that an engine can read, over one connection.
import type { OrgReader } from '../../ports/org-store.ts'
import { auditBriefs, auditRows, lastAuditId, principalAuditAfter } from './audit.ts'
import type { ParsedCache } from './generation-view.ts'
import { changeRequestReads } from './change-requests.ts'
import { seenTime } from './clock.ts'
import { componentReads } from './components.ts'
import type { Db } from './db.ts'
import { draftTable } from '../../ports/draft-table.ts'
import { discardedBatch } from './discarded-drafts.ts'
import {
  draft,
  draftBriefSteps,
  draftCount,
  draftIdsOf,
  drafts,
  cachedDraftBriefs,
  cachedDraftsMark,
  restoredByDrafts,
} from './drafts.ts'
import { generationReads } from './generations.ts'
import { identityReads } from './identities.ts'
import { peopleReads } from './people.ts'
import { remoteReads } from './remotes.ts'
import { boundGenerations, result, results, resultsBinding } from './results.ts'
import { search, searchTotal } from './search.ts'
import { signInReads } from './sign-ins.ts'
import { workspaceReads } from './workspaces.ts'

export function sqliteReader(db: Db, cache: ParsedCache): OrgReader {
  return {
    ...generationReads(db, cache),
    ...componentReads(db),
    ...identityReads(db),
    ...peopleReads(db),
    ...signInReads(db),
    ...remoteReads(db),
    ...changeRequestReads(db),
    ...workspaceReads(db),
    audit: (filter) => auditRows(db, filter),
    auditSummaries: (filter) => auditBriefs(db, filter),
    principalAuditAfter: (id) => principalAuditAfter(db, id),
    lastAuditId: () => lastAuditId(db),
    [draftTable]: {
      all: () => drafts(db),
      summaries: () => cachedDraftBriefs(db),
      summarySteps: () => draftBriefSteps(db),
      idsOf: (author) => draftIdsOf(db, author),
      count: () => draftCount(db),
      etag: () => cachedDraftsMark(db),
      get: (id) => draft(db, id),
      restoredIdentities: () => restoredByDrafts(db),
      lastDiscardedBatch: (user) => discardedBatch(db, user),
    },
    result: (id) => result(db, id),
    results: (options) => results(db, options),
    boundGenerations: () => boundGenerations(db),
    countBoundResults: (spells) => resultsBinding(db, spells),
    search: (text, ask) => search(db, text, ask),
    latestTime: () => seenTime(db),
    countSearchHits: (text, types) => searchTotal(db, text, types),
  }
}
