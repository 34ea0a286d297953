// The writes of bulk jobs, each a short transaction. They run next to saves, in the same thread.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { IngestColumn, IngestJob, IngestPart, IngestPlace } from '../ports/ingest.ts'
import type { RecordStore, RecordTransactor } from '../ports/record-store.ts'
import { noteIngest } from '../records/index.ts'

export interface IngestWrites {
  /** @throws AlmanacError `limit.open_jobs` */
  create(job: IngestJob): Promise<void>
  /** Returns the name of the part that it replaces, if it does. @throws AlmanacError `ingest.state`, `ingest.parts` */
  addPart(part: IngestPart): Promise<string | null>
  /** Removes a part of a job that was not closed. Returns whether the job had it. */
  removePart(part: IngestPart): Promise<boolean>
  /** @throws AlmanacError `ingest.state` if it is not open, or if a part was replaced since the columns were read */
  close(closing: IngestClosing): Promise<IngestJob>
  /** Returns the job as it goes on; null if it has ended. */
  start(id: string): Promise<IngestJob | null>
  /** Ends a job that has not ended. Returns it as it is then. @throws AlmanacError `ingest.not_found` */
  end(ending: IngestEnding): Promise<IngestJob>
  /** Removes parts and results of a job that has ended. */
  purge(id: string): Promise<void>
}

export interface IngestClosing {
  id: string
  /** The parts that were read, by number. */
  parts: readonly IngestPart[]
  columns: readonly IngestColumn[]
  /** See `IngestJob`. */
  fields: NonNullable<IngestJob['fields']>
  /** Of the first row. */
  place: IngestPlace
}

export interface IngestEnding {
  id: string
  state: 'failed' | 'aborted'
  problem: IngestJob['problem']
}

export const mostJobBytes = 5 * 1024 ** 3
export const mostParts = 10_000
/** Jobs of a user that have not ended: each can have as many bytes on the disk as a job can have. */
export const mostUnfinished = 50
const unfinished = ['open', 'queued', 'processing'] as const

export interface IngestWriteDeps {
  store(): Pick<RecordStore, 'write'>
  clock(): Clock
  newId(): string
}

export function ingestWrites({ store, clock, newId }: IngestWriteDeps): IngestWrites {
  const write = <T>(work: (tx: RecordTransactor) => Promise<T>): Promise<T> => store().write(work)
  return {
    create: (job) =>
      write(async (tx) => {
        const { createdBy } = job
        if ((await tx.countUnfinishedIngests(createdBy)) >= mostUnfinished) throw tooManyJobs(createdBy)
        await tx.putIngest(job)
      }),
    addPart: (part) =>
      write(async (tx) => {
        const job = await openJob(tx, part.job)
        const parts = await tx.ingestParts(part.job)
        const replaced = parts.find(({ number }) => number === part.number)
        const bytes = job.bytes - (replaced?.bytes ?? 0) + part.bytes
        if (bytes > mostJobBytes)
          throw new AlmanacError(
            'ingest.parts',
            `With part ${part.number}, the job has more than ${mostJobBytes / 1024 ** 3} GiB. Send the rest in another job.`,
          )
        await tx.putIngestPart(part)
        await tx.putIngest({ ...job, bytes })
        return replaced?.name ?? null
      }),
    removePart: (part) =>
      write(async (tx) => {
        const job = await requireJob(tx, part.job)
        const stored = await tx.ingestParts(part.job)
        if (job.parts !== null || !stored.some(({ name }) => name === part.name)) return false
        await tx.removeIngestPart(part)
        await tx.putIngest({ ...job, bytes: job.bytes - part.bytes })
        return true
      }),
    close: ({ id, parts, columns, fields, place }) =>
      write(async (tx) => {
        const job = await openJob(tx, id)
        const stored = await tx.ingestParts(id)
        const names = (of: readonly IngestPart[]): string => of.map(({ name }) => name).join()
        if (names(stored) !== names(parts))
          throw new AlmanacError('ingest.state', 'A part was sent while the job was closed. Close it again.')
        const closed: IngestJob = {
          ...{ ...job, columns, fields, place, parts: parts.length },
          ...{ state: 'queued', closedAt: clock().now() },
        }
        await tx.putIngest(closed)
        await noteIngest(tx, closed, newId)
        return closed
      }),
    start: (id) =>
      write(async (tx) => {
        const job = await tx.ingest(id)
        if (job?.state === 'processing') return job
        if (job?.state !== 'queued') return null
        const started = { ...job, state: 'processing' } as const
        await tx.putIngest(started)
        return started
      }),
    end: ({ id, state, problem }) =>
      write(async (tx) => {
        const job = await requireJob(tx, id)
        if (hasEnded(job)) return job
        const ended = { ...job, state, problem, finishedAt: clock().now() }
        await tx.putIngest(ended)
        await noteIngest(tx, ended, newId)
        return ended
      }),
    purge: (id) =>
      write(async (tx) => {
        const job = await tx.ingest(id)
        if (job === undefined || !hasEnded(job)) return
        await tx.emptyIngest(id)
        await tx.putIngest({ ...job, isPurged: true })
      }),
  }
}

export const hasEnded = ({ state }: IngestJob): boolean => !(unfinished as readonly string[]).includes(state)

const tooManyJobs = (user: string): AlmanacError =>
  new AlmanacError(
    'limit.open_jobs',
    `${user} has ${mostUnfinished} bulk jobs that have not ended, which is the most. Close or abort those that are open: GET /data/v3/jobs/ingest?state=open lists them. Otherwise wait until one ends.`,
  )

export const ingestNotFound = (id: string): AlmanacError =>
  new AlmanacError('ingest.not_found', `The bulk job "${id}" does not exist.`)

async function requireJob(tx: RecordTransactor, id: string): Promise<IngestJob> {
  const job = await tx.ingest(id)
  if (job === undefined) throw ingestNotFound(id)
  return job
}

async function openJob(tx: RecordTransactor, id: string): Promise<IngestJob> {
  const job = await requireJob(tx, id)
  requireOpen(job)
  return job
}

/** @throws AlmanacError `ingest.state` */
export function requireOpen(job: IngestJob): void {
  if (job.state !== 'open')
    throw new AlmanacError(
      'ingest.state',
      `The job is ${job.state}: it was closed. Create a new job for more rows.`,
    )
}
