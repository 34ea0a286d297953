// The thread that reads the rows of bulk jobs.
import { parentPort } from 'node:worker_threads'
import { partBytes, readBatches } from '../bulk/index.ts'
import type { IngestRows } from '../records/index.ts'
import { fileParts } from '../storage/files/index.ts'
import type { IngestWorkerData, OpeningRows } from './ingest-thread.ts'
import { serveCalls, TransferredAnswer } from './worker-calls.ts'

serveCalls(parentPort!, (data) => {
  const store = fileParts((data as IngestWorkerData).dir)
  const readings = new Map<number, AsyncIterator<IngestRows>>()
  const verbs: Record<string, (request: never) => Promise<unknown>> = {
    open: async ({ reading, job: { format, columns, place }, parts }: OpeningRows) => {
      const bytes = partBytes(store, parts, place.offset)
      const batches = readBatches({ format, columns: columns!, place, bytes })
      readings.set(reading, batches[Symbol.asyncIterator]())
    },
    next: async (reading: number) => {
      const { value } = (await readings.get(reading)!.next()) as { value: IngestRows }
      // Pooled memory cannot be transferred.
      const [rows, source] = [Uint8Array.from(value.rows), Uint8Array.from(value.source)]
      return new TransferredAnswer({ ...value, rows, source }, [rows.buffer, source.buffer])
    },
    close: async (reading: number) => {
      await readings.get(reading)?.return?.()
      readings.delete(reading)
    },
  }
  return { answer: (verb, request) => verbs[verb]!(request as never), close: async () => undefined }
})
