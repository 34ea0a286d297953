// The evidence of archived values, which is kept until its archive is removed.
import type { ArchivedReads, FieldId, ObjectId } from '#kernel/records/index.ts'

export interface RecordArchive {
  id: string
  object: ObjectId
  /** ISO 8601 instant. */
  at: string
  /** The user who created it. */
  by: string
}

/** The evidence of a value. */
export interface ArchivedEvidence {
  record: string
  field: FieldId
  /** What the value was computed from; kept as long as the bundle, to find it for an erasure. */
  reads: ArchivedReads
  /** The text of the bundle. */
  bundle: string
}

export type EvidencePage = { place: number; bundle: string }[]

export interface ArchivePage {
  /** The user who created them; null for all users. */
  by: string | null
  /** Only archives after this one in the list; null for the first page. */
  after: Pick<RecordArchive, 'at' | 'id'> | null
  limit: number
}

export interface RecordArchiveReader {
  archive(id: string): Promise<RecordArchive | undefined>
  /** The newest first. */
  archives(page: ArchivePage): Promise<RecordArchive[]>
  /** The number of bundles of an archive for each field that it has bundles of. */
  countEvidence(archive: string): Promise<{ field: FieldId; count: number }[]>
  /**
   * The bundles of an archive after a place, in the order in which they were added: fewer than the limit if they are large,
   * but at least one if any is left. @throws AlmanacError `storage.damaged`
   */
  evidence(archive: string, after: number, limit: number): Promise<EvidencePage>
  /** The newest bundle of a value; undefined if it was removed. @throws AlmanacError `storage.damaged` */
  evidenceOf(archive: string, record: string, field: FieldId): Promise<string | undefined>
  /** What archived values and those of stored bundles read; some of them may have been computed again. */
  archivedReads(): Promise<ArchivedReads[]>
}

export interface RecordArchiveTransactor extends RecordArchiveReader {
  /** Creates the archive if it does not exist. */
  addEvidence(archive: RecordArchive, evidence: readonly ArchivedEvidence[]): Promise<void>
  /** Removes an archive with its bundles. */
  removeArchive(id: string): Promise<void>
  removeEvidence(condition: (record: string, field: FieldId) => boolean): Promise<void>
}
