// A part of a job that archives values: their evidence is made next to the readers, and stored with the marks and the
// progress in one transaction, so that nothing is archived twice or without its bundle. A step is short, because readers,
// saves and other jobs come between the steps: it ends after some time or some bytes of bundles, in a record too.
import type { Actor } from '../../access/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import type { RecordJob } from '../../ports/record-jobs.ts'
import type { RecordStore } from '../../ports/record-store.ts'
import type { AccessOf } from '../commands/save-command.ts'
import type { RecordSnapshots } from '../deps.ts'
import type { ArchivableValue } from '../read/prove-value.ts'
import type { MakeEvidence } from './archive-value.ts'
import type { ArchiveCommand, ArchiveReply } from './archive-values.ts'
import type { ArchivedValue } from './archived-record.ts'
import { maxAttempts, type SteppedRecord } from './archive-progress.ts'
import { failureOf, valuesToArchive, type LookedAt } from './values-to-archive.ts'

/** How long a step makes evidence, in milliseconds; at least that of one value. */
const stepMs = 100
/** How many characters of bundles a step keeps until it stores them; at least one bundle. */
const maxStepChars = 4 * 1024 * 1024
/** A bundle contains the digests of all entries of its sets. */
const maxBundleChars = 4 * 1024 * 1024

export interface ArchiveStepParts {
  store(): RecordStore
  snapshots: RecordSnapshots
  accessOf: AccessOf
  evidence: MakeEvidence
  archive(command: ArchiveCommand): Promise<ArchiveReply>
  elapsed(): number
}

/**
 * @param job an open one, as it was read
 * @returns the job after the step
 * @throws an unexpected error of a value, after the values before it were archived
 */
export async function runArchiveStep(
  parts: ArchiveStepParts,
  { id }: RecordJob,
  generation: number,
): Promise<RecordJob> {
  const present = parts.snapshots.at(generation)
  const page = await parts.store().read(async (reader) => {
    const job = (await reader.job(id))!
    return { job, ...(await valuesToArchive(parts, reader, job, present)) }
  })
  const { job, object, problem } = page
  const { createdBy: actor, correlationId, scopePath } = job
  const { records, stopped } = await bundled(parts, { actor, correlationId }, page)
  const reply = await parts.archive({
    ...{ object: object ?? '', records: [], generation, user: actor, correlationId, scopePath },
    archive: { id: job.id, object: job.object, at: job.createdAt, by: actor },
    step: {
      ...{ after: job.after, part: job.part, records, problem },
      isLast: page.isLast && stopped === null,
    },
  })
  if (stopped?.error !== undefined) throw stopped.error
  return reply.job!
}

interface Bundled {
  records: SteppedRecord[]
  /** Why the step ended before its page; null if it did not. */
  stopped: { error?: unknown } | null
}

interface Page {
  job: RecordJob
  records: readonly LookedAt[]
}

/** Makes the bundles of a page until the step has to end. @throws storage errors, if nothing was made before */
async function bundled(parts: ArchiveStepParts, by: Actor, { job, records }: Page): Promise<Bundled> {
  const until = parts.elapsed() + stepMs
  const stepped: SteppedRecord[] = []
  let chars = 0
  let isFirst = true
  for (const looked of records) {
    const next = steppedRecord(looked, job)
    stepped.push(next)
    for (const cell of looked.cells) {
      const isOver = chars >= maxStepChars || parts.elapsed() > until
      if (isOver && !isFirst) return { records: stepped, stopped: {} }
      try {
        if ('error' in cell) throw cell.error
        const value = await archivedValue(parts, by, cell.value)
        chars += value.bundle.length
        next.values.push(value)
      } catch (error) {
        if (isStorageFailure(error)) {
          if (isFirst) throw error
          return { records: stepped, stopped: {} }
        }
        const isGivenUp = isFirst && job.part?.record === next.id && job.part.attempts >= maxAttempts
        if (!(error instanceof AlmanacError) && !isGivenUp) {
          next.hasBroken = true
          return { records: stepped, stopped: { error } }
        }
        next.failures.push(failureOf(next.id, error))
      }
      next.last = cell.field
      isFirst = false
    }
    next.isWhole = looked.isWhole
    if (looked.isWhole) next.failures.push(...looked.leftOut)
  }
  return { records: stepped, stopped: null }
}

function steppedRecord({ record: { id, version }, isBound }: LookedAt, { part }: RecordJob): SteppedRecord {
  const last = part?.record === id ? part.field : null
  return { id, version, isBound, values: [], failures: [], last, isWhole: false, hasBroken: false }
}

async function archivedValue(
  { evidence }: ArchiveStepParts,
  by: Actor,
  { field, reads, inputs, proven }: ArchivableValue,
): Promise<ArchivedValue> {
  const bundle = await evidence(by, proven)
  if (bundle.length > maxBundleChars)
    throw new AlmanacError(
      'request.invalid',
      `The evidence of ${proven.label} has ${bundle.length.toLocaleString('en')} characters, and a job archives at most ${maxBundleChars.toLocaleString('en')} for each value. Archive this value alone.`,
    )
  return { field, reads, inputs, bundle }
}
