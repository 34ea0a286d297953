// The records of a job, page by page.
import type { RecordSnapshot } from '#kernel/records/index.ts'
import type { RecordJob } from '../../ports/record-jobs.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { filterCondition, visibleBecause } from '../query/conditions.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { followersOf, type FoundRecords } from '../save/followers.ts'
import { accessDenied } from '../save/record-errors.ts'

/** The active generation, and the key of the object of the job in it. */
export interface JobPlace {
  present: RecordSnapshot
  object: string
}

/**
 * The next records of a job: of one that a user has started, those that the user can see.
 * @throws AlmanacError `access.denied` if the user cannot read the object any more: no record would be left
 */
export async function pageOf(
  deps: Pick<CommandDeps, 'accessOf'>,
  reader: RecordReader,
  { kind, after, filter, object: id, createdBy, scopePath, source }: RecordJob,
  { present, object }: JobPlace,
  limit: number,
): Promise<FoundRecords> {
  if (kind === 'fill') {
    const records = await reader.page(id, after, limit)
    return { records, hasMore: records.length === limit }
  }
  if (kind === 'follow' || kind === 'erase') return followersOf(reader, source!, after, limit)
  const access = deps.accessOf(createdBy, present.generation, scopePath)
  if (!access.may(object, 'read')) throw accessDenied(createdBy, 'read', object)
  const caller: RecordCaller = { present, scopePath, access }
  const { hits, hasMore } = await reader.query({
    ...{ object: id, anyOf: visibleBecause(caller, object), orderBy: [], limit },
    where: filterCondition(caller, object, filter ?? undefined),
    after: after === null ? null : { values: [], id: after },
  })
  return { records: hits.map(({ record }) => record), hasMore }
}
