// What an import or a repair writes in the transaction of its drafts or its apply, as data.
import type { ComponentId } from '#kernel/components/component.ts'
import type { Viewer } from '../access/index.ts'
import type { CompanionWrite, CompanionWriters } from '../ports/companion-writes.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { consumeDrafts, type ConsumedDraft } from '../pipeline/index.ts'
import { saveDroppedEntries, saveImportRecord, type ImportRecord } from './import-record.ts'

interface DroppedEntries {
  /** Entries that a repair dropped. */
  dropped: readonly ComponentId[]
  /** The importing user, whose drafts are discarded; null for one who sees everything. */
  user: string | null
}

interface ImportedTable extends DroppedEntries {
  set: string
  record: ImportRecord
}

/** What the next import of the file compares with. */
export const importCompanion = (data: ImportedTable): CompanionWrite => ({
  writer: 'import_record',
  data: data as never,
})

interface Repair extends DroppedEntries {
  /** Repaired drafts that the apply contains; one that was edited in the meantime is kept. */
  drafts: readonly ConsumedDraft[]
}

export const repairCompanion = (data: Repair): CompanionWrite => ({
  writer: 'repair',
  data: data as never,
})

/** @param viewerOf returns null for a user who sees everything */
export function importCompanionWriters(
  viewerOf: (reader: OrgReader, user: string) => Viewer | null,
): CompanionWriters {
  const viewer = (reader: OrgReader, user: string | null): Viewer | null =>
    user === null ? null : viewerOf(reader, user)
  return {
    import_record: (transactor, data) => {
      const { set, record, dropped, user } = data as unknown as ImportedTable
      return saveImportRecord(transactor, set, { record, dropped, viewer: viewer(transactor, user) })
    },
    repair: (transactor, data) => {
      const { drafts, dropped, user } = data as unknown as Repair
      consumeDrafts(transactor, drafts)
      return saveDroppedEntries(transactor, dropped, viewer(transactor, user))
    },
  }
}
