// One running job: what it needs, how it reports progress, and how it is stored to continue later.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { LocalSource, RemoteJob, RemoteJobState, RemoteJobStep } from '#wire/remotes.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { Actor } from '../access/index.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import type { RemoteClient } from './client.ts'

/** What is pushed: `ids`, or the default without `except` and with `also`. Older jobs have only `ids`. */
export interface PushPick {
  ids: ComponentId[] | null
  except?: ComponentId[]
  also?: ComponentId[]
}

/** What a push or a rollback needs to continue: its phase, and what was agreed. */
export interface DeployWork {
  /**
   * `send`: agreed, nothing was sent. `sent`: something was sent, with an unknown outcome. `request`: a change request
   * waits there. `finish`: done there, only the last comparison is missing.
   */
  phase: 'prepare' | 'send' | 'sent' | 'request' | 'finish'
  /** The options of a push; null for a rollback. */
  push: ({ local: LocalSource; review: boolean } & PushPick) | null
  /** For a rollback, the generation to return to. */
  rollbackTo: number | null
  /** For a rollback, whether it stops once the remote has validated it. Older jobs have no such field. */
  review?: boolean
  title: string
  applyOn: string | null
  /** What is pushed, including dependencies. */
  going: ComponentId[]
  base: number
  /** Binds what is applied to what was validated; null for a rollback without a review. */
  changeDigest: string | null
  /** Whether it is submitted as a change request. */
  asRequest: boolean
  /** The number of times it was sent. */
  attempts: number
  /** Whether the audit here records what was done there. */
  noted: boolean
}

export interface JobRun {
  readonly remote: RemoteRow
  readonly client: RemoteClient
  /** The same without retries, for reachability checks that a user waits for. */
  readonly clientWithoutRetries: RemoteClient
  readonly by: Actor
  /** Identifies what the job did there. */
  readonly correlationId: string
  readonly signal: AbortSignal
  /** Whether only reads are allowed: no user requested a write. */
  readonly isReadOnly: boolean
  job: RemoteJob
  work: DeployWork | null
  /** Reports progress to observers. */
  reportStep(step: RemoteJobStep, done?: number, total?: number | null): void
  /** Durable once it resolves. */
  save(): Promise<void>
}

/** The state of a job after its work returns. */
export type JobEnd = Extract<RemoteJobState, 'review' | 'waiting' | 'done'>

export type JobWork = (run: JobRun) => Promise<JobEnd>

/** A job whose connection was lost: not failed, because it can continue. */
export class InterruptedError extends Error {
  readonly reason: AlmanacError

  constructor(reason: AlmanacError) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

/** @throws Error if the job is of a different kind */
export function deployWork(run: JobRun): DeployWork {
  if (run.work === null) throw new Error(`The job ${run.job.id} has no work to continue.`)
  return run.work
}
