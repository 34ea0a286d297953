// The thread that writes rows for the thread that computes them.
import type { ThreadSource } from '../storage/sqlite/index.ts'
import { busyOldMb, youngMb } from '../system/index.ts'
import type { Threads } from './threads.ts'

export interface RowsWorkerData {
  /** Of the org. */
  file: string
  /** See `RecordStoreOptions`. */
  busyMs: number | undefined
}

export function rowsThread(threads: Threads, file: string, busyMs?: number): ThreadSource {
  return {
    start: () =>
      threads.start({
        file: new URL('./rows-worker.ts', import.meta.url),
        data: { file, busyMs } satisfies RowsWorkerData,
        resourceLimits: { maxYoungGenerationSizeMb: youngMb.large, maxOldGenerationSizeMb: busyOldMb },
      }),
    release: (thread) => threads.release(thread),
  }
}
