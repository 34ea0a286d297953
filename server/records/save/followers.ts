// The records whose stored formulas read a record that was changed: few are saved with it, many by a job.
import type { FieldId } from '#kernel/records/index.ts'
import type { FollowedRecord, ReferenceStep } from '../../ports/record-jobs.ts'
import { always } from '../../ports/record-query.ts'
import type { RecordReader, RecordTransactor, StoredRecord } from '../../ports/record-store.ts'
import { newJob, type JobFacts } from '../jobs/new-job.ts'
import type { SaveContext } from './save.ts'

/** The records of the first object from which a chain leads to a record; null if any step finds more than `most`. */
export async function fewFollowers(
  tx: RecordReader,
  id: string,
  chain: readonly ReferenceStep[],
  most: number,
): Promise<StoredRecord[] | null> {
  let ids = [id]
  let records: StoredRecord[] = []
  for (const { object, reference } of chain.toReversed()) {
    records = []
    for (const each of ids) {
      records.push(...(await tx.find(object, reference, each, most + 1)))
      if (records.length > most) return null
    }
    ids = records.map((record) => record.id)
  }
  return records
}

export interface FoundRecords {
  records: StoredRecord[]
  hasMore: boolean
}

/** A page of the records from which a chain leads to a record, in the order of their ids. */
export async function followersOf(
  reader: RecordReader,
  { id, chain }: FollowedRecord,
  after: string | null,
  limit: number,
): Promise<FoundRecords> {
  const via = chain.slice(0, -1).map(({ reference }, index) => ({
    ...{ field: reference, target: chain[index + 1]!.object, visible: always },
  }))
  const left = { via, field: chain.at(-1)!.reference }
  const { hits, hasMore } = await reader.query({
    ...{ object: chain[0]!.object, anyOf: [always], orderBy: [], limit },
    where: { op: 'compare', operator: '==', left, right: { value: id } },
    after: after === null ? null : { values: [], id: after },
  })
  return { records: hits.map(({ record }) => record), hasMore }
}

/** Leaves the records that follow a change to a job, unless one waits that has not begun. */
export async function followLater(context: SaveContext, source: FollowedRecord): Promise<void> {
  if (!(await isWaiting(context.tx, source))) await leaveToJob(context, source, { kind: 'follow' })
}

/**
 * Leaves the records that follow an erasure to a job.
 * @param fields whose values were erased
 */
export async function eraseLater(
  context: SaveContext,
  source: FollowedRecord,
  fields: Iterable<FieldId>,
): Promise<void> {
  await leaveToJob(context, source, { kind: 'erase', fields: [...fields] })
}

async function leaveToJob(
  { tx, newId, now, actor, correlationId, scopePath }: SaveContext,
  source: FollowedRecord,
  facts: Pick<JobFacts, 'kind' | 'fields'>,
): Promise<void> {
  const { object } = source.chain[0]!
  await tx.putJob(
    newJob(newId(), now, {
      ...{ ...facts, object, source },
      ...{ createdBy: actor, correlationId, scopePath },
    }),
  )
}

async function isWaiting(tx: RecordTransactor, source: FollowedRecord): Promise<boolean> {
  const text = JSON.stringify(source)
  const open = await tx.openJobs()
  return open.some(
    ({ kind, state, source: waiting }) =>
      kind === 'follow' && state === 'queued' && JSON.stringify(waiting) === text,
  )
}
