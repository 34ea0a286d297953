// Reads the rows of bulk jobs in a thread of their own, so that saves do not wait for it.
import type { RowSource } from '../bulk/index.ts'
import type { IngestJob, IngestPart } from '../ports/ingest.ts'
import type { IngestRows } from '../records/index.ts'
import { youngMb } from '../system/index.ts'
import type { Threads } from './threads.ts'
import { workerCalls } from './worker-calls.ts'

/** What the thread opens. */
export interface IngestWorkerData {
  /** The folder of parts. */
  dir: string
}

export interface OpeningRows {
  reading: number
  job: Pick<IngestJob, 'format' | 'columns' | 'place'>
  parts: readonly IngestPart[]
}

export interface IngestThread {
  open(job: IngestJob, parts: readonly IngestPart[]): Promise<RowSource>
  close(): Promise<void>
}

export function ingestThread(threads: Threads, dir: string): IngestThread {
  const calls = workerCalls(threads, {
    file: new URL('./ingest-worker.ts', import.meta.url),
    data: { dir } satisfies IngestWorkerData,
    resourceLimits: { maxYoungGenerationSizeMb: youngMb.small, maxOldGenerationSizeMb: 256 },
  })
  let last = 0
  return {
    open: async ({ format, columns, place }, parts) => {
      const reading = (last += 1)
      await calls.call('open', { reading, job: { format, columns, place }, parts } satisfies OpeningRows)
      return {
        next: () => calls.call<IngestRows>('next', reading),
        close: () => calls.call<void>('close', reading),
      }
    },
    close: () => calls.close(),
  }
}
