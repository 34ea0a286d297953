// The worker's side of long reads: one at a time, over a connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { openLongReads } from './compose-long-reads.ts'
import { answerCalls } from './compose-worker-calls.ts'
import type { LongReads } from './http/index.ts'

const reads = openLongReads((workerData as { dir: string }).dir)

answerCalls(parentPort!, (verb, request) => reads[verb as keyof LongReads](request as never))
