// Archives of evidence of stored values.
import type { ArchiveList, ArchiveSummary } from '#wire/records.ts'
import { allPages, get, request } from './request.ts'

export type { ArchiveSummary } from '#wire/records.ts'

/** Those of the user, the newest first. */
export async function fetchArchives(): Promise<ArchiveSummary[]> {
  const pages = await allPages((cursor) => get<ArchiveList>('/setup/v3/archives', { limit: 500, cursor }))
  return pages.flatMap(({ archives }) => archives)
}

/** @throws ApiError record.archive_not_found */
export const removeArchive = (id: string): Promise<void> =>
  request('DELETE', `/setup/v3/archives/${encodeURIComponent(id)}`)
