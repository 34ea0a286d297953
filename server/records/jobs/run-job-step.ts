// Runs a part of a job in one transaction, with its progress, so that nothing is processed twice after a restart.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isStorageFailure } from '#kernel/errors/storage-failure.ts'
import type { FieldId, FieldProblem, RecordSnapshot } from '#kernel/records/index.ts'
import type {
  DeliveryAction,
  OutboxAction,
  PostCommitRun,
  RecordJob,
  RecordJobFailure,
  RecordJobKind,
} from '../../ports/record-jobs.ts'
import type { RecordTransactor, StoredRecord } from '../../ports/record-store.ts'
import type { CommandDeps } from '../commands/save-command.ts'
import { eraseFollowers } from '../erase/erase-record.ts'
import { runLeftAutomation } from '../save/save-item.ts'
import type { OnProblems, SaveItem } from '../save/save.ts'
import { saveContexts, saveInTransaction } from '../saves.ts'
import { countRecords, isTaken } from './count-records.ts'
import { pageOf, type JobPlace } from './job-page.ts'
import { withFailures, withoutOutcomes } from './new-job.ts'
import { replayRecord } from './replay-record.ts'

/** Records that are read at once. */
const pageSize = 100
/** How long a step takes records, in milliseconds: saves of users wait for it. */
const stepMs = 20
/** How often an automation is tried that fails for a reason which can pass. */
const maxAttempts = 5

/** Run a part of a job that is not over records. */
export interface OtherParts {
  outbox(tx: RecordTransactor, job: RecordJob, action: OutboxAction): Promise<RecordJob>
  deliveries(tx: RecordTransactor, job: RecordJob, action: DeliveryAction): Promise<RecordJob>
}

/** Returns the job after the step; undefined if it does not exist. A job that has ended stays as it is. */
export async function runJobStep(
  deps: CommandDeps,
  tx: RecordTransactor,
  { id, generation }: { id: string; generation: number },
  { elapsed, others }: { elapsed: () => number; others: OtherParts },
): Promise<RecordJob | undefined> {
  const job = await tx.job(id)
  // Evidence is made next to the readers: `runArchiveStep`.
  if (job === undefined || !isOpen(job) || (job.kind === 'archive' && job.total !== null)) return job
  const next = await processed(tx, job, deps.clock.now(), () =>
    job.outbox !== null
      ? others.outbox(tx, job, job.outbox)
      : job.deliveries !== null
        ? others.deliveries(tx, job, job.deliveries)
        : job.automation === null
          ? step(deps, tx, { job, present: deps.snapshots.at(newest(job, generation)) }, elapsed)
          : runAutomation(deps, tx, job, job.automation),
  )
  // What an automation has done is in the history of the records.
  if (job.automation !== null && next.state === 'completed') await tx.removeJob(id)
  else await tx.putJob(next)
  return next
}

export const isOpen = ({ state }: RecordJob): boolean => state === 'queued' || state === 'processing'

/** A process that has not read the newest generation yet does not know the fields that it has added. */
const newest = ({ filledFor = 0 }: RecordJob, generation: number): number => Math.max(filledFor, generation)

/** Whether an erasure has processed all records, so that only the traces in the files are left. */
export const isProcessed = (job: RecordJob): boolean => isOpen(job) && job.finishedAt !== null

async function processed(
  tx: RecordTransactor,
  job: RecordJob,
  now: string,
  work: () => Promise<RecordJob>,
): Promise<RecordJob> {
  try {
    return await tx.savepoint(work)
  } catch (error) {
    if (!(error instanceof AlmanacError) || isStorageFailure(error)) throw error
    const { code, message, kind } = error
    const attempts = job.failed + 1
    if (job.automation !== null && kind.retriable && attempts < maxAttempts)
      return { ...job, failed: attempts }
    return withoutOutcomes({ ...job, state: 'failed', finishedAt: now, problem: { code, message } })
  }
}

async function step(
  deps: CommandDeps,
  tx: RecordTransactor,
  { job, present }: { job: RecordJob; present: RecordSnapshot },
  elapsed: () => number,
): Promise<RecordJob> {
  const object = present.names.objectKey(job.object)
  if (object === undefined)
    throw new AlmanacError('object.not_found', 'The object of the job was removed from the org.')
  const until = elapsed() + stepMs
  let next: RecordJob = { ...job, state: 'processing' }
  if (next.total === null) {
    next = await countRecords(deps, tx, next, { present, object }, () => elapsed() > until)
    if (next.total === null || job.kind === 'archive') return next
  }
  const { records, hasMore } = await pageOf(deps, tx, job, { present, object }, pageSize)
  for (const [index, record] of records.entries()) {
    if (index > 0 && elapsed() > until) return next
    if (!isTaken(record, job)) {
      next = { ...next, after: record.id }
      continue
    }
    next = counted(next, record.id, await outcomeOf(deps, tx, next, { present, object, record }))
  }
  if (hasMore) return next
  if (job.kind === 'fill') await tx.markFilled(job)
  if (job.kind === 'erase') await eraseFollowers(deps, tx, job, present)
  const state = job.kind === 'erase' ? 'processing' : 'completed'
  // Records were added or removed since they were counted.
  return { ...next, state, total: next.done, finishedAt: deps.clock.now() }
}

async function runAutomation(
  deps: CommandDeps,
  tx: RecordTransactor,
  job: RecordJob,
  run: PostCommitRun,
): Promise<RecordJob> {
  const { createdBy: actor, correlationId, scopePath } = job
  const { generation } = run
  const access = deps.accessOf(actor, generation, scopePath)
  const request = { generation, actor, access, correlationId, scopePath, keepsErrors: true }
  const newContext = saveContexts(deps, tx, request, run.depth + 1)
  const waiting = await runLeftAutomation(newContext(), { object: job.object, run, job: job.id })
  if (waiting !== null) return { ...job, state: 'waiting', automation: waiting, failed: 0 }
  return { ...job, state: 'completed', done: 1, finishedAt: deps.clock.now() }
}

/** Whether the record was changed, or what failed. */
type Outcome = boolean | Omit<RecordJobFailure, 'record'>

async function outcomeOf(
  deps: CommandDeps,
  tx: RecordTransactor,
  job: RecordJob,
  { present, object, record }: JobPlace & { record: StoredRecord },
): Promise<Outcome> {
  const { kind, object: objectId, fields, searched, createdBy, correlationId, scopePath } = job
  if (kind === 'replay') {
    const replayed = await replayRecord(deps.snapshots, tx, present, record)
    return typeof replayed === 'boolean' ? !replayed : replayed
  }
  if (searched.length > 0) await tx.indexWords(objectId, record.id)
  if (kind === 'fill' && fields.length === 0) return false
  const { generation } = present
  // A job has no app of its own: each value keeps the scope path of its binding.
  const { app: _app, ...others } = scopePath
  const problems: FieldProblem[] = []
  const [outcome] = await saveInTransaction(deps, tx, {
    ...{ generation, actor: createdBy, correlationId, allOrNone: false, keepsErrors: true },
    scopePath: kind === 'recompute' || kind === 'rebind' ? others : scopePath,
    access: deps.accessOf(createdBy, generation, scopePath),
    items: [itemOf(job, object, record, (found) => problems.push(...found))],
  })
  const [problem] = problems
  // The record is filled, but the value is absent.
  if (problem !== undefined)
    return { code: problem.code, message: problems.map(({ message }) => message).join(' ') }
  if (outcome!.ok) return outcome!.record!.version !== record.version
  const { code, message } = outcome!.error
  return { code, message }
}

function itemOf(
  { kind, fields, filledFor, keepsArchived }: RecordJob,
  object: string,
  { id, bindings }: StoredRecord,
  onProblems: OnProblems,
): SaveItem {
  const item = { object, id, version: null }
  const isDue = (field: FieldId): boolean => {
    const generation = bindings.get(field)?.generation
    return generation === undefined || filledFor === undefined || generation < filledFor
  }
  switch (kind as SavingKind) {
    case 'recompute':
    case 'rebind':
      return { op: 'recompute', ...item, keepsArchived }
    case 'erase':
      return { op: 'erase', ...item, erased: new Map() }
    case 'fill':
      return { op: 'fill', ...item, fields: fields.filter(isDue), onProblems }
    case 'follow':
      return { op: 'follow', ...item }
  }
}

type SavingKind = Exclude<
  RecordJobKind,
  'replay' | 'automation' | 'archive' | 'outbox' | 'deliveries' | 'operation'
>

function counted(job: RecordJob, record: string, outcome: Outcome): RecordJob {
  const count = job.done + 1
  const done = { ...job, after: record, done: count, total: atLeast(job.total, count) }
  if (typeof outcome === 'boolean') return outcome ? { ...done, changed: job.changed + 1 } : done
  return { ...done, failed: job.failed + 1, failures: withFailures(job, [{ record, ...outcome }]) }
}

/** A total that covers what is done, if records were added since they were counted. */
export const atLeast = (total: number | null, done: number): number => Math.max(total ?? 0, done)
