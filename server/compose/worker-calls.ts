// Calls to a worker thread and their results, as both sides know them.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { lowerThreadPriority } from '../system/index.ts'

interface Call {
  id: number
  verb: string
  request: unknown
}

/** An error as it is sent between threads: a class cannot be sent. */
export interface SerializedError {
  code: ErrorCode | null
  message: string
  details: readonly unknown[]
  retryAfter?: number | undefined
}

type Answer = { id: number; answer: unknown } | { id: number; error: SerializedError }

interface Waiting {
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

export interface WorkerCalls {
  call<T>(verb: string, request: unknown): Promise<T>
  /** Ends the worker once it has answered its calls and has received the close. */
  close(): Promise<void>
}

/** The worker starts with the first call, and is restarted if it dies. It does not keep the process alive. */
export function workerCalls(file: URL, dir: string, resourceLimits: ResourceLimits): WorkerCalls {
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
    const started = new Worker(file, { workerData: { dir }, resourceLimits, env: workerEnv() })
    started.on('message', (answer: Answer) => {
      const call = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (waiting.size === 0) started.unref()
      if ('error' in answer) call?.reject(deserializeError(answer.error))
      else call?.resolve(answer.answer as never)
    })
    started.on('error', (error) => failAll(started, error as Error))
    started.on('exit', () => failAll(started, new Error('The worker stopped before it responded.')))
    return started
  }
  const call = <T>(verb: string, request: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      worker ??= start()
      worker.ref()
      const id = next++
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, verb, request } satisfies Call)
    })
  return {
    call,
    close: async () => {
      if (worker === null) return
      const ended = worker
      await call('close', [])
      await ended.terminate()
    },
  }
}

/** A thread does not share the sources that its process has compiled, unless it is given the path of the cache. */
export function workerEnv(): NodeJS.ProcessEnv {
  const kept = getCompileCacheDir()
  const known = process.env['NODE_COMPILE_CACHE']
  return kept === undefined || known !== undefined
    ? process.env
    : { ...process.env, NODE_COMPILE_CACHE: dirname(kept) }
}

const maxDetails = 1000

/** A result whose bytes are transferred, not copied. */
export class TransferredAnswer {
  readonly answer: unknown
  readonly bytes: ArrayBuffer[]

  constructor(answer: unknown, bytes: ArrayBuffer[]) {
    this.answer = answer
    this.bytes = bytes
  }
}

/** The worker's side: calls are answered in order, and readers have priority. */
export function serveCalls(
  port: MessagePort,
  answerTo: (verb: string, request: unknown) => Promise<unknown>,
): void {
  lowerThreadPriority()
  let last: Promise<void> = Promise.resolve()
  port.on('message', ({ id, verb, request }: Call) => {
    last = last.then(async () => {
      try {
        const found = await answerTo(verb, request)
        const { answer, bytes } =
          found instanceof TransferredAnswer ? found : new TransferredAnswer(found, [])
        port.postMessage({ id, answer } satisfies Answer, bytes)
      } catch (error) {
        port.postMessage({ id, error: serializeError(error) } satisfies Answer)
      }
    })
  })
}

export function serializeError(error: unknown): SerializedError {
  if (error instanceof AlmanacError)
    return {
      code: error.code,
      message: error.message,
      details: error.details.slice(0, maxDetails),
      retryAfter: error.retryAfter,
    }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: null, message, details: [] }
}

export function deserializeError({ code, message, details, retryAfter }: SerializedError): Error {
  if (code === null) return new Error(message)
  return new AlmanacError(code, message, { details, retryAfter })
}
