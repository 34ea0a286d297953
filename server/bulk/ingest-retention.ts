// What is kept of bulk jobs: parts and results for 7 days. Jobs that were never closed are ended after that time.
import type { Clock } from '../ports/clock.ts'
import type { IngestJob, PartStore } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import type { IngestWrites } from './ingest-writes.ts'

const keptMs = 7 * 24 * 3_600_000
const pageSize = 200

export interface IngestRetention {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  writes: Pick<IngestWrites, 'end' | 'purge'>
  parts: PartStore
  clock: Clock
}

/** Removes what is older, and the parts of jobs that do not need them any more. */
export async function purgeIngests({ read, writes, parts, clock }: IngestRetention): Promise<void> {
  const before = new Date(Date.parse(clock.now()) - keptMs).toISOString()
  const stored = new Set(await parts.jobs())
  for (let last: string | undefined; ;) {
    const jobs: IngestJob[] = await read((reader) => reader.ingests({ limit: pageSize, before: last }))
    for (const job of jobs) {
      if (job.state === 'open' && job.createdAt < before) await writes.end(abandoned(job))
      const isWaiting = job.state === 'queued' || job.state === 'processing'
      const isOld = !isWaiting && (job.finishedAt ?? job.createdAt) < before
      if (isOld && !job.isPurged) await writes.purge(job.id)
      if (!isOld && job.state !== 'completed') stored.delete(job.id)
    }
    if (jobs.length < pageSize) break
    last = jobs.at(-1)!.id
  }
  // Of jobs that are completed or old, and of those that no job knows: their creation failed.
  for (const job of stored) await parts.removeAll(job)
}

const abandoned = ({ id }: IngestJob) => ({
  ...{ id, state: 'aborted' as const },
  problem: { code: 'ingest.state', message: 'The job was not closed within 7 days.' },
})
