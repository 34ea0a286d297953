// Archives of evidence of stored values.
import type { ArchiveSummary } from '#wire/records.ts'
import { get, request } from './request.ts'

export type { ArchiveSummary } from '#wire/records.ts'

/** Those of the user, the newest first. */
export const fetchArchives = async (): Promise<ArchiveSummary[]> =>
  (await get<{ archives: ArchiveSummary[] }>('/setup/v3/archives')).archives

/** @throws ApiError record.archive_not_found */
export const removeArchive = (id: string): Promise<void> =>
  request('DELETE', `/setup/v3/archives/${encodeURIComponent(id)}`)
