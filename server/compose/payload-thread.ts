// Reads and writes large requests and responses of external services beside the main thread, and reads their large drafts.
import type { CandidateComponent } from '#kernel/change/index.ts'
import type { DraftReading } from '../pipeline/index.ts'
import type { PayloadReply, PayloadTask, PayloadThread } from '../service-calls/index.ts'
import { youngMb } from '../system/index.ts'
import type { Threads } from './threads.ts'
import { workerPool } from './worker-pool.ts'

export interface OpenedPayloadThread {
  run: PayloadThread
  readDraft: DraftReading
  close(): Promise<void>
}

/** What the thread opens. */
export interface PayloadWorkerData {
  /** Of the org. */
  dir: string
}

/** What the thread does. */
export type PayloadWorkerTask = PayloadTask | ({ kind: 'draft' } & Parameters<DraftReading>[0])

const minute = 60_000
const deadlineMs = 10_000
/** A draft can have 32 MiB. */
const draftDeadlineMs = minute
/** Drafts of all users are read one after the other. */
const draftCaller = 'drafts'

export function payloadThread(threads: Threads, dir: string): OpenedPayloadThread {
  const pool = workerPool(
    {
      threads,
      thread: {
        file: new URL('./payload-worker.ts', import.meta.url),
        data: { dir } satisfies PayloadWorkerData,
        resourceLimits: { maxYoungGenerationSizeMb: youngMb.small, maxOldGenerationSizeMb: 512 },
      },
      size: 2,
      perCaller: 1,
      // The outbox sends many calls of one user at once.
      maxWaitingPerCaller: 1000,
      idleMs: minute,
    },
    async ({ name }) => {
      throw new Error(`A worker called "${name}", which does not exist.`)
    },
  )
  return {
    run: (request, caller) => pool.call<PayloadReply>({ caller, request, transfer: [], deadlineMs }),
    readDraft: ({ id, text }) => {
      const request: PayloadWorkerTask = { kind: 'draft', id, text }
      const call = { caller: draftCaller, request, transfer: [], deadlineMs: draftDeadlineMs }
      return pool.call<CandidateComponent | null>(call)
    },
    close: () => pool.close(),
  }
}
