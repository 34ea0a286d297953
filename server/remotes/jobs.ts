// The jobs of remotes: started, reported, stored, resumed by a user; interrupted work is never sent again
// automatically.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteJob, RemoteJobSummary, RemoteJobKind, RemoteJobState } from '#wire/remotes.ts'
import type { Actor } from '../access/index.ts'
import { yieldToEventLoop } from '../pipeline/index.ts'
import type { RemoteJobRow } from '../ports/remotes.ts'
import { createRemoteClient, type RemoteClient } from './client.ts'
import { requireRemote } from './comparison.ts'
import { correlationOf } from './history.ts'
import { InterruptedError, type DeployWork, type JobRun, type JobWork } from './job-run.ts'
import type { RemoteEvent, RemotesDeps } from './deps.ts'
import type { ProofStore } from './proof-store.ts'
import { isTransient, problemOf } from './remote-error.ts'

export interface RemoteJobs {
  /** @throws AlmanacError `remote.busy` if a different job of the remote runs. */
  start(
    by: Actor,
    remote: string,
    kind: RemoteJobKind,
    terms: { rationale: string; work: DeployWork | null },
  ): Promise<RemoteJob>
  /** Resolves once no read-only check of the remote is running. */
  waitForPolls(remote: string): Promise<void>
  /** Continues a job that is not running. `before` is done first, within the job. */
  resume(row: RemoteJobRow, by: Actor, options?: RunOptions): Promise<RemoteJob>
  /** Ends a job that was not sent yet. */
  cancel(row: RemoteJobRow): Promise<RemoteJob>
  /** In its current state. @throws AlmanacError `remote.no_such_job`. */
  row(remote: string, id: string): RemoteJobRow
  list(remote: string, limit: number): RemoteJob[]
  /** Running and waiting jobs, newest first. */
  openJobs(remote: string): RemoteJobSummary[]
  /** Resolves once the job stops running. */
  waitForJob(id: string): Promise<RemoteJob>
  /** Marks jobs that ran at the last exit of this server as interrupted; a user decides about them. */
  recover(): Promise<void>
  /**
   * Checks every waiting change request (of one remote), and what was sent when a connection was lost. Sends nothing.
   */
  pollOpenJobs(remote?: string): Promise<void>
  client(row: RemoteJobRow['remote'], options?: { patient?: boolean; signal?: AbortSignal }): RemoteClient
  onEvent(listener: (event: RemoteEvent) => void): () => void
  emit(event: RemoteEvent): void
  /** Cancels running work, and waits until it stops. */
  close(): Promise<void>
}

export interface RunOptions {
  /** Whether only reads are allowed, because no user requested a write. */
  isReadOnly?: boolean
  /** Whether the job keeps the state `waiting` while it is checked. */
  isPoll?: boolean
  prepare?: (run: JobRun) => Promise<void>
}

interface RunningJob {
  job: RemoteJob
  cancelled: boolean
  isPoll: boolean
  /** The first save: from then on the job is found. */
  saved: Promise<void>
  ended: Promise<void>
  abort: AbortController
}

const openStates: readonly RemoteJobState[] = ['running', 'review', 'waiting', 'interrupted']
/** Maximum number of open jobs that are shown with a remote. */
const maxOpenJobs = 20
/** The shortest time between progress reports, in milliseconds. */
const progressIntervalMs = 100

export function createRemoteJobs(
  deps: RemotesDeps,
  proofs: ProofStore,
  works: Readonly<Record<RemoteJobKind, JobWork>>,
): RemoteJobs {
  const { store, write, clock, ids, org } = deps
  const unforeseen = (error: unknown): void => deps.onError?.(error)
  const running = new Map<string, RunningJob>()
  const listeners = new Set<(event: RemoteEvent) => void>()
  const emitEvent = (event: RemoteEvent): void => {
    for (const listener of [...listeners]) listener(event)
  }
  const client: RemoteJobs['client'] = (key, { patient = false, signal } = {}) => {
    const abort = signal ?? new AbortController().signal
    return createRemoteClient(deps, proofs, requireRemote(deps, key), {
      hasRetries: patient,
      wait: (ms) => waitFor(ms, abort),
      signal: abort,
    })
  }
  const saveRow = (row: RemoteJobRow): Promise<void> =>
    write((transactor) => {
      // The remote may have been removed in the meantime.
      if (transactor.remotes.get(row.remote) !== undefined) transactor.remotes.putJob(row)
    })

  const run = (
    row: RemoteJobRow,
    by: Actor,
    { isReadOnly = false, isPoll = false, prepare }: RunOptions = {},
  ): RemoteJob => {
    const abort = new AbortController()
    const remote = requireRemote(deps, row.remote)
    const job: RemoteJob = {
      ...row.job,
      // To readers, a job that is only being checked looks unchanged.
      ...(isPoll ? {} : { state: 'running', updatedAt: clock.now(), problem: null }),
    }
    const jobRun: JobRun = {
      remote,
      client: client(row.remote, { patient: true, signal: abort.signal }),
      clientWithoutRetries: client(row.remote, { signal: abort.signal }),
      by,
      correlationId: correlationOf(org.facts().lineage, job.id),
      signal: abort.signal,
      isReadOnly,
      job,
      work: row.work as DeployWork | null,
      reportStep: (step, done = 0, total = null) => {
        abort.signal.throwIfAborted()
        const moved = job.step !== step
        Object.assign(job, { step, done, total })
        if (!isPoll && (moved || isTime())) emitEvent({ remote: job.remote, job: briefOf(job) })
      },
      save: () => saveRow({ id: job.id, remote: job.remote, state: job.state, job, work: jobRun.work }),
    }
    const isTime = everyMs(progressIntervalMs)
    const end = async (): Promise<void> => {
      try {
        await entry.saved
        await prepare?.(jobRun)
        const state = await works[job.kind](jobRun)
        await yieldToEventLoop()
        job.state = state
        if (job.problem === row.job.problem && isResolved(row.job, job, isPoll)) job.problem = null
      } catch (error) {
        const reason = reasonOf(error)
        const off = abort.signal.aborted
        job.state = off
          ? stateAfterAbort(entry.cancelled, jobRun.work)
          : isPoll && isTransient(reason)
            ? row.state
            : stateAfter(error)
        job.problem = off && !isTransient(reason) ? null : problemOf(reason, job.remote)
        if (!off && !(reason instanceof AlmanacError)) unforeseen(reason)
      }
      const stateOf = ({ state, request, problem }: RemoteJob): string =>
        JSON.stringify([state, request, problem?.code])
      const same = isPoll && stateOf(job) === stateOf(row.job)
      if (!same) job.updatedAt = clock.now()
      await jobRun.save().catch(unforeseen)
      running.delete(job.id)
      if (same) return
      emitEvent({ remote: job.remote, job: briefOf(job) })
      emitEvent({ remote: job.remote })
    }
    const [saved, ended] = [jobRun.save(), Promise.resolve()]
    const entry: RunningJob = { job, abort, isPoll, cancelled: false, saved, ended }
    running.set(job.id, entry)
    entry.ended = end()
    return { ...job }
  }
  const requireIdle = (remote: string): void => {
    const busy = [...running.values()].find(({ job }) => job.remote === remote)
    if (busy === undefined) return
    throw new AlmanacError(
      'remote.busy',
      `A ${busy.job.kind} of ${remote} is already running. Wait until it is done, or cancel it.`,
      { details: [{ remote, job: busy.job.id }] },
    )
  }
  const waitForPolls = async (remote: string): Promise<void> => {
    const polls = [...running.values()].filter(({ job, isPoll }) => isPoll && job.remote === remote)
    await Promise.all(polls.map(({ ended }) => ended))
  }
  const row = (remote: string, id: string): RemoteJobRow => {
    const storedRow = store.read((reader) => reader.remotes.job(id))
    if (storedRow?.remote !== remote)
      throw new AlmanacError('remote.no_such_job', `The remote ${remote} has no job ${id}.`)
    const now = running.get(id)
    return now === undefined ? storedRow : { ...storedRow, job: { ...now.job }, state: now.job.state }
  }

  return {
    waitForPolls,
    start: async (by, remote, kind, { rationale, work }) => {
      await waitForPolls(remote)
      requireRemote(deps, remote)
      requireIdle(remote)
      const at = clock.now()
      const job: RemoteJob = {
        id: ids.uuid(),
        remote,
        kind,
        state: 'running',
        step: 'contact',
        done: 0,
        total: null,
        startedAt: at,
        updatedAt: at,
        actor: by.actor,
        rationale,
        plan: null,
        request: null,
        outcome: null,
        problem: null,
      }
      const started = run({ id: job.id, remote, state: 'running', job, work }, by)
      await running.get(job.id)?.saved
      return started
    },
    resume: async (found, by, options) => {
      requireIdle(found.remote)
      return run(found, by, options)
    },
    cancel: async (given) => {
      await waitForPolls(given.remote)
      const jobRow = row(given.remote, given.id)
      const now = running.get(jobRow.id)
      if (now !== undefined) {
        now.cancelled = true
        now.abort.abort()
        await now.ended
        return { ...now.job }
      }
      const job: RemoteJob = { ...jobRow.job, state: 'cancelled', updatedAt: clock.now() }
      await saveRow({ ...jobRow, state: 'cancelled', job })
      emitEvent({ remote: job.remote, job: briefOf(job) })
      return job
    },
    row,
    list: (remote, limit) =>
      store
        .read((reader) => reader.remotes.jobs({ remote, limit }))
        .map(({ id, job }) => running.get(id)?.job ?? job),
    openJobs: (remote) =>
      store
        .read((reader) => reader.remotes.jobSummaries({ remote, states: openStates, limit: maxOpenJobs }))
        .map((brief) => briefOf(running.get(brief.id)?.job ?? brief))
        .filter(({ state }) => openStates.includes(state)),
    waitForJob: async (id) => {
      await running.get(id)?.ended
      return store.read((reader) => reader.remotes.job(id))!.job
    },
    recover: async () => {
      const runningRows = store.read((reader) => reader.remotes.jobs({ states: ['running'], limit: 1000 }))
      for (const jobRow of runningRows) {
        if (running.has(jobRow.id)) continue
        const job: RemoteJob = {
          ...jobRow.job,
          state: 'interrupted',
          problem: {
            code: 'remote.interrupted',
            detail: 'The server stopped while the job was running. Resume it; nothing is done twice.',
            origin: 'api.request',
            remoteCode: null,
            retriable: true,
          },
        }
        await saveRow({ ...jobRow, state: 'interrupted', job })
      }
    },
    pollOpenJobs: async (remote) => {
      const openRows = store.read((reader) =>
        reader.remotes.jobs({
          ...(remote === undefined ? {} : { remote }),
          states: ['waiting', 'interrupted'],
          limit: 1000,
        }),
      )
      for (const jobRow of openRows) {
        const { phase } = (jobRow.work ?? {}) as Partial<DeployWork>
        const isOpen = jobRow.state === 'waiting' || phase === 'sent' || phase === 'finish'
        const busy = [...running.values()].some(({ job }) => job.remote === jobRow.remote)
        if (!isOpen || busy) continue
        run(jobRow, actorOf(jobRow.job), { isReadOnly: true, isPoll: true })
        await running.get(jobRow.id)?.ended
      }
    },
    client,
    onEvent: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit: emitEvent,
    close: async () => {
      const all = [...running.values()]
      for (const { abort } of all) abort.abort()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

function briefOf({ id, remote, kind, state, step, done, total }: RemoteJobSummary): RemoteJobSummary {
  return { id, remote, kind, state, step, done, total }
}

/** The user who started it, with today's rights. */
function actorOf({ actor, id }: RemoteJob): Actor {
  return { actor, correlationId: id }
}

/** Whether an earlier problem is resolved. A check that finds the same state does not resolve a refusal. */
function isResolved(before: RemoteJob, now: RemoteJob, quiet: boolean): boolean {
  const moved = now.state !== before.state || now.request?.state !== before.request?.state
  return !quiet || moved || now.problem?.retriable === true
}

function reasonOf(error: unknown): unknown {
  return error instanceof InterruptedError ? error.reason : error
}

function stateAfter(error: unknown): RemoteJobState {
  return error instanceof InterruptedError || isTransient(error) ? 'interrupted' : 'failed'
}

/** What was sent may be done there, so it cannot be reported as cancelled. */
function stateAfterAbort(cancelled: boolean, work: DeployWork | null): RemoteJobState {
  const phase = work?.phase ?? 'prepare'
  return cancelled && (phase === 'prepare' || phase === 'send') ? 'cancelled' : 'interrupted'
}

/** Resolves after a delay; rejects if it is cancelled in the meantime. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const off = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', off)
      resolve()
    }, ms)
    signal.addEventListener('abort', off, { once: true })
  })
}

function everyMs(ms: number): () => boolean {
  let last = -Infinity
  return () => {
    const now = performance.now()
    if (now - last < ms) return false
    last = now
    return true
  }
}
