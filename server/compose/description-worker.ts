// The thread of one import: it reads a description, answers, and is ended.
import { parentPort } from 'node:worker_threads'
import { serveCalls, TransferredAnswer } from './worker-calls.ts'
import { importInThread, type ImportTask } from '../service-import/index.ts'
import { systemSha256 } from '../system/index.ts'

serveCalls(parentPort!, () => ({
  answer: async (_verb, task) => {
    const reply = importInThread(task as ImportTask, systemSha256)
    const { bundle, types } = reply.description
    // Pooled memory cannot be transferred.
    const [ownBundle, ownTypes] = [Uint8Array.from(bundle), Uint8Array.from(types)]
    return new TransferredAnswer(
      { ...reply, description: { ...reply.description, bundle: ownBundle, types: ownTypes } },
      [ownBundle.buffer, ownTypes.buffer],
    )
  },
  close: async () => undefined,
}))
