// The thread for large requests, responses and drafts of external services; it reads their descriptions from the org.
import { parentPort } from 'node:worker_threads'
import { serializeError } from '#kernel/errors/serialized-error.ts'
import { createOpenOperations, runPayloadTask, type OpenOperations } from '../service-calls/index.ts'
import { readLargeServiceDraft } from '../pipeline/index.ts'
import { lowerThreadPriority } from '../system/index.ts'
import { openDeps } from './open-org.ts'
import type { PayloadWorkerData, PayloadWorkerTask } from './payload-thread.ts'
import { closedMessage } from './threads.ts'
import type { PoolMessage, WorkerMessage } from './worker-pool.ts'

const port = parentPort!
lowerThreadPriority()

let deps: ReturnType<typeof openDeps>
let operations: OpenOperations

const post = (message: WorkerMessage | typeof closedMessage): void => port.postMessage(message)

port.on('message', (message: PoolMessage) => {
  if (message.kind === 'open') {
    deps = openDeps((message.data as PayloadWorkerData).dir)
    operations = createOpenOperations(deps.store)
    post({ kind: 'ready' })
  } else if (message.kind === 'call') answer(message.request as PayloadWorkerTask)
  else if (message.kind === 'close') {
    deps.store.close()
    post(closedMessage)
  }
})

function answer(task: PayloadWorkerTask): void {
  try {
    const reply = task.kind === 'draft' ? readLargeServiceDraft(task) : runPayloadTask(operations, task)
    post({ kind: 'answer', answer: reply, spent: false })
  } catch (error) {
    post({ kind: 'error', error: serializeError(error) })
  }
}
