// One job while it runs: what it stands on, how it tells how far it is, and how it is kept to go on later.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { LocalSource, RemoteJob, RemoteJobState, RemoteJobStep } from '#kernel/remotes/wire.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { By } from '../access/index.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import type { RemoteClient } from './client.ts'

/** What goes: `ids`, or what goes by default without `except` and with `also`. Older jobs have `ids` only. */
export interface PushPick {
  ids: ComponentId[] | null
  except?: ComponentId[]
  also?: ComponentId[]
}

/** What a push or a rollback needs to go on: where it is, and what was agreed on. */
export interface DeployWork {
  /**
   * `send`: agreed, and nothing was sent. `sent`: something was, and what came of it is not known. `request`: a change
   * request waits there. `finish`: it is done there, and only the last look is missing.
   */
  phase: 'prepare' | 'send' | 'sent' | 'request' | 'finish'
  /** Of a push: as it was asked. Null of a rollback. */
  push: ({ local: LocalSource; review: boolean } & PushPick) | null
  /** Of a rollback: back to this generation. */
  rollbackTo: number | null
  /** Of a rollback: it stops once the remote has validated it. Older jobs have no such field. */
  review?: boolean
  title: string
  applyOn: string | null
  /** What goes, dependencies included. */
  going: ComponentId[]
  base: number
  /** Binds what is applied to what was validated; null of a rollback without a review. */
  changeDigest: string | null
  /** Whether a change request is made of it. */
  asRequest: boolean
  /** How often it was sent. */
  attempts: number
  /** Whether the audit here says what was done there. */
  noted: boolean
}

export interface JobRun {
  readonly remote: RemoteRow
  readonly client: RemoteClient
  /** The same, which gives up at once: whether anybody is there, somebody waits to hear. */
  readonly hasty: RemoteClient
  readonly by: By
  /** By it, what the job did there is known again. */
  readonly correlationId: string
  readonly signal: AbortSignal
  /** Whether only a look is allowed: nobody asked for anything to be sent. */
  readonly looksOnly: boolean
  job: RemoteJob
  work: DeployWork | null
  /** How far it is, for whoever looks on. */
  at(step: RemoteJobStep, done?: number, total?: number | null): void
  /** Durable once it resolves. */
  keep(): Promise<void>
}

/** What becomes of a job where its work returns. */
export type JobEnd = Extract<RemoteJobState, 'review' | 'waiting' | 'done'>

export type JobWork = (run: JobRun) => Promise<JobEnd>

/** A job whose connection was lost: not failed, since it can go on. */
export class Interrupted extends Error {
  readonly reason: AlmanacError

  constructor(reason: AlmanacError) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

/** @throws Error where the job is of another kind */
export function deployWork(run: JobRun): DeployWork {
  if (run.work === null) throw new Error(`The job ${run.job.id} has no work to go on with.`)
  return run.work
}
