// What an org remembers of the rows of earlier imports, and where their entries are now.
import type { CandidateComponent } from '#kernel/change/index.ts'
import { isIdVisible, parseDraft, visibleDraft, visibleDrafts } from '../pipeline/index.ts'
import type { Viewer } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { DraftRow } from '#wire/index.ts'
import { importsOf, type ImportRecord } from './import-record.ts'

export interface ImportHistory {
  rows: ImportRecord
  generation: number
  /** The set itself while only a draft defines it. */
  definition: CandidateComponent | null
  /** The draft of an entry: null if it removes the entry or cannot be read, undefined if it does not exist. */
  draftOf(entry: string): CandidateComponent | null | undefined
  /** Whether a missing entry was active at that generation or since: it was then removed or renamed. */
  wasRemoved(entry: string, since: number): boolean
}

/** @param viewer what the importing user can see: hidden drafts do not exist. */
export function loadImportHistory(reader: OrgReader, set: string, viewer: Viewer | null): ImportHistory {
  const isHidden =
    reader.generations.view(reader.generations.active()).has('config_set', set) &&
    !isIdVisible(`config_entry/${set}.x`, viewer)
  const drafts = new Map<string, DraftRow>(
    visibleDrafts(reader, viewer)
      .filter((draft) => draft.id.startsWith(`config_entry/${set}.`))
      .map((draft) => [draft.id, draft]),
  )
  return {
    // The record of earlier imports would reveal hidden values.
    rows: isHidden ? {} : importsOf(reader, set),
    generation: reader.generations.active(),
    definition: findDraftSet(reader, set, viewer),
    draftOf: (entry) => {
      const draft = drafts.get(`config_entry/${entry}`)
      return draft === undefined || draft.text === null ? draft && null : parseDraft(draft).parsed
    },
    wasRemoved: (entry, since) => {
      if (isHidden) return false
      const id = `config_entry/${entry}` as const
      if (reader.components.versions(id).some(({ to }) => to === null || to > since)) return true
      // Versions can be purged; the audit stays.
      return reader.audit
        .list({ component: id })
        .some(({ generation }) => generation !== null && generation > since)
    },
  }
}

/** A set that exists only as a draft, so that entries can be imported before it is applied; null if none is visible. */
export function findDraftSet(
  reader: OrgReader,
  set: string,
  viewer: Viewer | null,
): CandidateComponent | null {
  if (reader.generations.view(reader.generations.active()).has('config_set', set)) return null
  const draft = visibleDraft(reader, `config_set/${set}`, viewer)
  return draft === undefined || draft.text === null ? null : parseDraft(draft).parsed
}
