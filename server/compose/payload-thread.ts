// Reads and writes large requests and responses of external services beside the main thread.
import type { PayloadReply, PayloadThread } from '../service-calls/index.ts'
import type { Threads } from './threads.ts'
import { workerPool } from './worker-pool.ts'

export interface OpenedPayloadThread {
  run: PayloadThread
  close(): Promise<void>
}

/** What the thread opens. */
export interface PayloadWorkerData {
  /** Of the org. */
  dir: string
}

const minute = 60_000
const deadlineMs = 10_000

export function payloadThread(threads: Threads, dir: string): OpenedPayloadThread {
  const pool = workerPool(
    {
      threads,
      thread: {
        file: new URL('./payload-worker.ts', import.meta.url),
        data: { dir } satisfies PayloadWorkerData,
        resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 },
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
    close: () => pool.close(),
  }
}
