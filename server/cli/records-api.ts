// Records as commands use them, in a local folder or behind a server.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ArchiveList, Erasure } from '#wire/records.ts'
import type {
  CommandItem,
  ErasureRequest,
  ItemReply,
  JobView,
  QueryReply,
  QueryRequest,
  RecordJson,
  ObjectDescription,
} from '../records/index.ts'

export interface JobRequest {
  kind: 'recompute' | 'rebind' | 'replay' | 'archive'
  object: string
  filter?: string
  boundBefore?: number
  keepArchived?: boolean
}

export const isEnded = ({ state }: JobView): boolean => state !== 'queued' && state !== 'processing'

/** The outcome of an item of a batch. */
export type SavedItem = { ok: true; id: string } | { ok: false; code: string; message: string }

/** A row of a virtual object: with an id, it is changed. */
export interface RowItem {
  id?: string
  /** With which it was read; without one, it is changed as it is now. */
  version?: string
  fields: Readonly<Record<string, FieldValue>>
}

/** Whether a file of its rows has a column `version`: those of a source that others change, too. */
export const hasVersions = ({ remote, fields }: ObjectDescription): boolean =>
  remote?.writable === true && !fields.some(({ key, aliases }) => [key, ...aliases].includes('version'))

/** Archives that a list reads at once. */
export const archivesAtOnce = 500

export interface RecordsApi {
  get(object: string, id: string, fields: readonly string[] | undefined): Promise<RecordJson>
  query(request: QueryRequest): Promise<QueryReply>
  describe(object: string): Promise<ObjectDescription>
  /** At most 200 items, each saved alone. */
  save(object: string, items: readonly Omit<CommandItem, 'object'>[]): Promise<SavedItem[]>
  /** Adds or changes rows of a virtual object, one after the other: each is a request to its source. */
  saveRows(object: string, rows: readonly RowItem[]): Promise<SavedItem[]>
  /** Returns the text of the evidence bundle of a value. */
  evidence(object: string, id: string, field: string): Promise<string>
  /** Archives the evidence of a value, and returns the ID of its archive and the text of the bundle. */
  archive(object: string, id: string, field: string): Promise<{ archive: string; evidence: string }>
  /** The newest first. */
  archives(cursor?: string): Promise<ArchiveList>
  /** The text of the bundles of an archive, one a line, in pieces. */
  archivedEvidence(archive: string): Promise<AsyncIterable<string>>
  removeArchive(archive: string): Promise<void>
  /** Erases the sensitive values of a record. */
  erase(request: ErasureRequest): Promise<Erasure>
  /** Starts a job over records, and returns it when it has ended. */
  runJob(job: JobRequest, onProgress: (job: JobView) => void): Promise<JobView>
}

/** @param save returns the id of the row */
export async function savedRows(
  rows: readonly RowItem[],
  save: (row: RowItem) => Promise<string>,
): Promise<SavedItem[]> {
  const saved: SavedItem[] = []
  for (const row of rows)
    try {
      saved.push({ ok: true, id: await save(row) })
    } catch (error) {
      if (!(error instanceof AlmanacError) || error.kind.class === 'internal') throw error
      saved.push({ ok: false, code: error.code, message: error.message })
    }
  return saved
}

export function savedItem(reply: ItemReply): SavedItem {
  if (reply.ok) return { ok: true, id: reply.id }
  const { code, message } = reply.error
  return { ok: false, code, message }
}
