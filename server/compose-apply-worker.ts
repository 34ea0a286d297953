// The worker's side: one job at a time, over a connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { openJobs } from './compose.ts'
import type { Call, Reply, SentError } from './compose-worker-runner.ts'

const MOST_DETAILS = 1000
const jobs = openJobs((workerData as { dir: string }).dir)

parentPort!.on('message', (call: Call) => {
  void answer(call).then((reply) => parentPort!.postMessage(reply))
})

async function answer(call: Call): Promise<Reply> {
  try {
    if (call.verb === 'plan') return { id: call.id, answer: await jobs.plan(call.request) }
    if (call.verb === 'apply') return { id: call.id, answer: await jobs.apply(call.request, call.kind) }
    await jobs.close()
    return { id: call.id, answer: null }
  } catch (error) {
    return { id: call.id, error: sent(error) }
  }
}

function sent(error: unknown): SentError {
  if (error instanceof AlmanacError)
    return { code: error.code, message: error.message, details: error.details.slice(0, MOST_DETAILS) }
  return {
    code: null,
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    details: [],
  }
}
