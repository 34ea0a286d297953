// Applies and plans in a worker thread with its own connection, so that readers never wait for them (bench.md).
import { Worker } from 'node:worker_threads'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { ChangeRequest, JobRunner } from './pipeline/index.ts'

/** Changes and findings that cross to the readers' thread at most; a longer list would hold it up. */
const MOST = 1000

export type Call =
  | { id: number; verb: 'plan'; request: ChangeRequest }
  | { id: number; verb: 'apply'; kind: 'apply' | 'rollback' | 'init'; request: ChangeRequest }
  | { id: number; verb: 'close' }

/** An error as it crosses threads: a class does not survive the crossing. */
export interface SentError {
  code: ErrorCode | null
  message: string
  details: readonly unknown[]
}

export type Reply = { id: number; answer: unknown } | { id: number; error: SentError }

interface Waiting {
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

type Unnumbered = Call extends infer C ? (C extends Call ? Omit<C, 'id'> : never) : never

/** The worker starts with the first job and is started again should it die. */
export function workerRunner(dir: string): JobRunner {
  let worker: Worker | null = null
  let next = 1
  const waiting = new Map<number, Waiting>()

  const failAll = (ended: Worker, error: Error): void => {
    if (worker !== ended) return
    worker = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./compose-apply-worker.ts', import.meta.url), {
      workerData: { dir },
      // A large change list makes much that lives shortly; a small nursery keeps the process small.
      resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 4096 },
    })
    started.on('message', (reply: Reply) => {
      const call = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
      if ('error' in reply) call?.reject(receivedError(reply.error))
      else call?.resolve(reply.answer as never)
    })
    started.on('error', (error) => failAll(started, error as Error))
    started.on('exit', () => failAll(started, new Error('The apply worker ended before it answered.')))
    return started
  }
  const send = <T>(call: Unnumbered): Promise<T> =>
    new Promise((resolve, reject) => {
      worker ??= start()
      worker.ref()
      const id = next++
      waiting.set(id, { resolve, reject })
      worker.postMessage({ ...call, id })
    })

  const cut = (request: ChangeRequest): ChangeRequest => ({
    ...request,
    most: Math.min(request.most ?? MOST, MOST),
  })
  return {
    plan: (request) => send({ verb: 'plan', request: cut(request) }),
    apply: (request, kind) => send({ verb: 'apply', kind, request: cut(request) }),
    close: async () => {
      if (worker === null) return
      const ended = worker
      await send({ verb: 'close' })
      await ended.terminate()
    },
  }
}

function receivedError({ code, message, details }: SentError): Error {
  return code === null ? new Error(message) : new AlmanacError(code, message, { details })
}
