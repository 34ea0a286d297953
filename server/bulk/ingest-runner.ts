// Processes bulk jobs: their rows are read in a thread of their own and saved batch by batch. Users take turns, as do
// the clients of a user and the jobs of a client, so that a long job does not hold up the others.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import type { IngestColumn, IngestJob, IngestPart } from '../ports/ingest.ts'
import { lookMs, Rests, type IngestCommand, type IngestReply, type IngestRows } from '../records/index.ts'
import type { IngestCounts } from './ingest-counts.ts'
import type { IngestWrites } from './ingest-writes.ts'

export interface IngestRunner {
  /** Continues with the jobs that wait; called after a job was closed. */
  wake(): void
  /** Resolves after the batches that are being saved. Jobs continue after the next start. */
  close(): Promise<void>
}

/** Reads the rows of a job from its place on, in another thread. */
export interface RowSource {
  /** @throws AlmanacError `ingest.row`, `storage.*` */
  next(): Promise<IngestRows>
  close(): Promise<void>
}

export interface IngestRunnerParts {
  waiting(): Promise<IngestJob[]>
  partsOf(id: string): Promise<IngestPart[]>
  writes: Pick<IngestWrites, 'start' | 'end'>
  open(job: IngestJob, parts: readonly IngestPart[]): Promise<RowSource>
  removePart(part: IngestPart): Promise<void>
  /** Of a job that is completed. */
  removeParts(id: string): Promise<void>
  activeGeneration(): number
  save(command: IngestCommand): Promise<IngestReply>
  /** Notes that the client of a job uses its columns. */
  noteUses(job: IngestJob & { columns: readonly IngestColumn[] }, generation: number): void
  counts: Pick<IngestCounts, 'noteRows'>
  /** Called after each batch, and when a job has ended. */
  onProgress(job: IngestJob): void
  onError(error: unknown): void
}

/** Jobs that are processed at the same time. */
const mostAtOnce = 4
/** How long a job is processed before others that wait have its place, in milliseconds. */
const turnMs = 5000
/** Batches of a job that are sent: one is being written, the next one computed, and one waits for its turn. */
const mostSent = 3

export function createIngestRunner(parts: IngestRunnerParts): IngestRunner {
  const running = new Map<string, Promise<void>>()
  /** When a job had its last turn; the longest ago comes first. */
  const turns = new Map<string, number>()
  const rests = new Rests(() => wake())
  /** Jobs whose last batch was not finished in its time. */
  const slow = new Set<string>()
  let [turn, isClosed] = [0, false]
  let looking: Promise<void> | null = null
  let isWanted = false
  let isAnyWaiting = false

  const look = async (): Promise<void> => {
    const waiting = await parts.waiting()
    const due = waiting.filter(({ id }) => !running.has(id) && !rests.isResting(id))
    due.sort((a, b) => (turns.get(a.id) ?? 0) - (turns.get(b.id) ?? 0))
    for (const id of turns.keys())
      if (!waiting.some((job) => job.id === id)) {
        turns.delete(id)
        slow.delete(id)
      }
    for (const job of fairly(
      due,
      waiting.filter(({ id }) => running.has(id)),
    )) {
      if (isClosed || running.size === mostAtOnce) break
      run(job.id)
    }
    isAnyWaiting = due.some(({ id }) => !running.has(id))
  }
  const wake = (): void => {
    isWanted = true
    if (isClosed) return
    looking ??= (async () => {
      while (isWanted && !isClosed) {
        isWanted = false
        await look()
      }
    })()
      .catch(parts.onError)
      .finally(() => (looking = null))
  }
  const run = (id: string): void => {
    turns.set(id, (turn += 1))
    const until = performance.now() + turnMs
    const isOver = (): boolean => isClosed || (isAnyWaiting && performance.now() > until)
    const done = processJob(parts, id, { isOver, slow })
      .then(() => rests.forget(id))
      .catch((error: unknown) => {
        parts.onError(error)
        rests.begin(id)
      })
      .finally(() => {
        running.delete(id)
        wake()
      })
    running.set(id, done)
  }
  const timer = setInterval(wake, lookMs).unref()
  return {
    wake,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      rests.close()
      await looking
      await Promise.all(running.values())
    },
  }
}

/** A job of each user in turn, and for each user one of each client; those with fewer running jobs first. */
function fairly(due: readonly IngestJob[], running: readonly IngestJob[]): IngestJob[] {
  const inTurns = (jobs: readonly IngestJob[], ownerOf: (job: IngestJob) => string): IngestJob[] => {
    const taken = Map.groupBy(running, ownerOf)
    const placed = [...Map.groupBy(jobs, ownerOf)].flatMap(([owner, own]) =>
      own.map((job, at) => ({ job, round: at + (taken.get(owner)?.length ?? 0) })),
    )
    return placed.sort((a, b) => a.round - b.round).map(({ job }) => job)
  }
  const userOf = ({ createdBy }: IngestJob): string => createdBy
  const clientOf = ({ createdBy, client }: IngestJob): string => JSON.stringify([createdBy, client])
  return inTurns(inTurns(due, clientOf), userOf)
}

interface Turn {
  isOver(): boolean
  /** Ids of jobs whose last batch was not finished in its time. */
  slow: Set<string>
}

/** Processes a job until its end, or until its turn is over. */
async function processJob(parts: IngestRunnerParts, id: string, turn: Turn): Promise<void> {
  const job = await parts.writes.start(id)
  if (job === null) return
  try {
    await processRows(parts, job, turn)
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    // Another process has continued or ended it.
    if (error.code === 'ingest.state') return
    if (isStorageFailure(error) || error.kind.retriable) throw error
    const { code, message } = error
    await parts.writes.end({ id, state: 'failed', problem: { code, message } })
  } finally {
    parts.onProgress(job)
  }
}

interface SentBatch {
  /** Where it begins, in bytes. */
  offset: number
  /** Whether all of its rows were processed. */
  isDone: Promise<boolean>
}

async function processRows(parts: IngestRunnerParts, job: IngestJob, { isOver, slow }: Turn): Promise<void> {
  const stored = await parts.partsOf(job.id)
  const source = await parts.open(job, stored)
  const removeRead = partRemover(parts, stored)
  const sent: SentBatch[] = []
  let isComplete = false
  try {
    for (let isLast = false; !isLast && !isOver();) {
      const rows = await source.next()
      isComplete = isLast = rows.isLast
      const isDone = saveBatch(parts, job, rows).then((isWhole) => {
        if (isWhole) slow.delete(job.id)
        else slow.add(job.id)
        return isWhole
      })
      // A failure is thrown where the batch is waited for.
      isDone.catch(() => undefined)
      sent.push({ offset: rows.place.offset, isDone })
      // What is sent after a batch that is not finished is computed in vain.
      if (sent.length < (slow.has(job.id) ? 1 : mostSent)) continue
      const first = sent.shift()!
      if (!(await first.isDone)) {
        isComplete = false
        break
      }
      // All batches before the first one that is left are saved.
      await removeRead((sent[0] ?? first).offset)
    }
  } finally {
    await Promise.allSettled([...sent.map(({ isDone }) => isDone), source.close()])
  }
  const ends = await Promise.all(sent.map(({ isDone }) => isDone))
  if (isComplete && ends.every((isDone) => isDone)) await parts.removeParts(job.id)
}

/** Removes parts whose rows are all processed: what is left of a part is in the results. */
function partRemover(
  { removePart }: Pick<IngestRunnerParts, 'removePart'>,
  stored: readonly IngestPart[],
): (offset: number) => Promise<void> {
  let [next, end] = [0, stored[0]?.bytes ?? 0]
  return async (offset) => {
    while (next < stored.length && end <= offset) {
      await removePart(stored[next]!)
      next += 1
      end += stored[next]?.bytes ?? 0
    }
  }
}

/** Returns whether all rows of the batch were processed: the others, and what follows them, come with the next turn. */
async function saveBatch(parts: IngestRunnerParts, job: IngestJob, rows: IngestRows): Promise<boolean> {
  const { id, object, operation, externalId, columns, fields, createdBy, client, correlationId, scopePath } =
    job
  const generation = parts.activeGeneration()
  parts.noteUses({ ...job, columns: columns! }, generation)
  const { done, failed } = await parts.save({
    ...{ ingest: id, object, operation, externalId, columns: columns!, fields, rows },
    erased: job.erased.length,
    ...{ user: createdBy, client, correlationId, scopePath, generation },
  })
  parts.counts.noteRows({ saved: done - failed, failed })
  parts.onProgress(job)
  return done === rows.count
}
