// Counts the records that a job takes, part by part, before it takes the first one.
import { always } from '../../ports/record-query.ts'
import type { RecordJob } from '../../ports/record-jobs.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { visibleBecause } from '../query/conditions.ts'
import { pageOf, type JobPlace } from './job-page.ts'

/** Records that are read at once. */
const pageSize = 100

/** Continues to count the records of a job; its total stays null until all are counted or `isOver` returns true. */
export async function countRecords(
  deps: Pick<CommandDeps, 'accessOf'>,
  reader: RecordReader,
  job: RecordJob,
  place: JobPlace,
  isOver: () => boolean,
): Promise<RecordJob> {
  if (takesAll(deps, job, place)) return { ...job, total: await reader.count(job.object), counting: null }
  let { after, counted } = job.counting ?? { after: null, counted: 0 }
  for (;;) {
    const { records, hasMore } = await pageOf(deps, reader, { ...job, after }, place, pageSize)
    counted += records.filter((record) => isTaken(record, job)).length
    after = records.at(-1)?.id ?? after
    if (!hasMore) return { ...job, total: counted, counting: null }
    if (isOver()) return { ...job, counting: { after, counted } }
  }
}

/** Whether a job takes a record of its pages. */
export function isTaken(
  { bindings }: Pick<StoredRecord, 'bindings'>,
  { kind, boundBefore: before, keepsArchived }: Pick<RecordJob, 'kind' | 'boundBefore' | 'keepsArchived'>,
): boolean {
  if (before === null) return true
  const skipsArchived = keepsArchived || kind === 'archive'
  const bound = [...bindings.values()].filter(({ archived }) => !skipsArchived || archived === undefined)
  return bound.some(({ generation }) => generation < before)
}

function takesAll(
  { accessOf }: Pick<CommandDeps, 'accessOf'>,
  { filter, boundBefore, source, createdBy, scopePath }: RecordJob,
  { present, object }: JobPlace,
): boolean {
  if (filter !== null || boundBefore !== null || source !== null) return false
  const access = accessOf(createdBy, present.generation, scopePath)
  return visibleBecause({ present, scopePath, access }, object).includes(always)
}
