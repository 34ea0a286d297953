// The archives of evidence: listed, exported and removed by those who created them.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { fieldKey, type FieldId } from '#kernel/records/index.ts'
import type { ArchiveList, ArchiveSummary } from '#wire/records.ts'
import { requirePermission, type Actor, type AuditFact, type EffectiveAccess } from '../../access/index.ts'
import type { EvidencePage, RecordArchive } from '../../ports/record-archives.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { CursorSeal } from '../query/cursor-seal.ts'
import { isOpen } from '../jobs/run-job-step.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { RecordPage } from '../read/record-page.ts'

export interface Archives<C> {
  /** Those of the caller, the newest first. @throws AlmanacError `access.denied`, `request.malformed` */
  list(caller: C, page: RecordPage): Promise<ArchiveList>
  /** The bundles of an archive, one a line. @throws AlmanacError `access.denied`, `record.archive_not_found` */
  evidence(caller: C, id: string): Promise<AsyncIterable<string>>
  /** Removes an archive with its bundles. @throws AlmanacError as `evidence`, `request.invalid` while its job runs */
  remove(caller: C, by: Actor, id: string): Promise<void>
}

interface ArchivesParts<C> {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  callerOf(caller: C): RecordCaller
  remove(id: string): Promise<void>
  audit(by: Actor, fact: AuditFact): Promise<void>
  seal: CursorSeal
}

/** Bundles that are read at once. */
const pageSize = 20

export function createArchives<C extends { access: EffectiveAccess }>({
  read,
  callerOf,
  remove,
  audit,
  seal,
}: ArchivesParts<C>): Archives<C> {
  const required = async (reader: RecordReader, { access }: C, id: string): Promise<RecordArchive> => {
    const archive = await reader.archive(id)
    if (archive !== undefined && isOf(access, archive)) return archive
    throw archiveNotFound(id)
  }
  return {
    list: async (caller, { limit, cursor }) => {
      requireManager(caller, 'to see archives')
      const viewer = callerOf(caller)
      const { user, platformRoot } = caller.access
      const of = `archives ${user}`
      const after = cursor === undefined ? null : (seal.open(of, cursor) as Pick<RecordArchive, 'at' | 'id'>)
      return read(async (reader) => {
        const found = await reader.archives({ by: platformRoot ? null : user, after, limit: limit + 1 })
        const archives: ArchiveSummary[] = []
        for (const { id, object, at, by } of found.slice(0, limit)) {
          const evidence = await reader.countEvidence(id)
          const values = evidence.reduce((sum, { count }) => sum + count, 0)
          const key = viewer.present.names.objectKey(object) ?? null
          const fieldOf = readableFields(viewer, key)
          const fields = evidence.flatMap(({ field }) => fieldOf(field) ?? []).sort()
          archives.push({ id, object: key, at, by, values, fields })
        }
        const last = archives.at(-1)
        const hasMore = found.length > limit
        return { archives, nextCursor: hasMore ? seal.seal(of, { at: last!.at, id: last!.id }) : null }
      })
    },
    evidence: async (caller, id) => {
      requireManager(caller, 'to export an archive')
      const first = await read(async (reader) => {
        await required(reader, caller, id)
        return reader.evidence(id, 0, pageSize)
      })
      return bundlesOf(read, id, first)
    },
    remove: async (caller, by, id) => {
      requireManager(caller, 'to remove an archive')
      const archive = await read(async (reader) => {
        const found = await required(reader, caller, id)
        const job = await reader.job(id)
        if (job !== undefined && isOpen(job))
          throw new AlmanacError(
            'request.invalid',
            'The job is still adding evidence to the archive. Wait until it has ended, or end it first.',
          )
        return found
      })
      const object = callerOf(caller).present.names.objectKey(archive.object) ?? archive.object
      const before = { archive: id, at: archive.at, by: archive.by }
      await audit(by, { component: `object/${object}`, kind: 'records.archive_removed', before, after: null })
      await remove(id)
    },
  }
}

/** The keys of the fields of an object that the caller can read. */
function readableFields(
  { present, access }: RecordCaller,
  object: string | null,
): (id: FieldId) => string | undefined {
  if (object === null) return () => undefined
  const ids = present.names.fieldIds(object)
  return (id) => {
    const field = fieldKey(ids, id)
    return field !== undefined && access.canReadField(object, field) ? field : undefined
  }
}

/** What bundles show was visible to the user who created them. */
const isOf = ({ user, platformRoot }: EffectiveAccess, { by }: RecordArchive): boolean =>
  platformRoot || by === user

function requireManager({ access }: { access: EffectiveAccess }, purpose: string): void {
  requirePermission(access, 'operations.manage', purpose)
}

/**
 * Yields the pages after the first one as they are read. @throws AlmanacError `record.archive_not_found` if the archive was
 * removed in the meantime, so that nobody takes the part for the whole
 */
async function* bundlesOf(
  read: ArchivesParts<never>['read'],
  id: string,
  first: EvidencePage,
): AsyncGenerator<string, void, undefined> {
  for (let page = first; page.length > 0;) {
    for (const { bundle } of page) yield bundle
    const after = page.at(-1)!.place
    page = await read(async (reader) => {
      if ((await reader.archive(id)) === undefined) throw archiveNotFound(id)
      return reader.evidence(id, after, pageSize)
    })
  }
}

const archiveNotFound = (id: string): AlmanacError =>
  new AlmanacError('record.archive_not_found', `The archive "${id}" does not exist.`)
