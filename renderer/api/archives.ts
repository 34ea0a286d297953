// Archives of evidence of stored values.
import type { ArchiveList, ArchiveSummary } from '#wire/records.ts'
import { get, request } from './request.ts'

export type { ArchiveSummary } from '#wire/records.ts'

/** Those of the user, the newest first. */
export async function fetchArchives(): Promise<ArchiveSummary[]> {
  const archives: ArchiveSummary[] = []
  let cursor: string | null = null
  do {
    const page: ArchiveList = await get('/setup/v3/archives', {
      limit: '200',
      ...(cursor === null ? {} : { cursor }),
    })
    archives.push(...page.archives)
    cursor = page.nextCursor
  } while (cursor !== null)
  return archives
}

/** @throws ApiError record.archive_not_found */
export const removeArchive = (id: string): Promise<void> =>
  request('DELETE', `/setup/v3/archives/${encodeURIComponent(id)}`)
