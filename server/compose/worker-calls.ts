// Calls to a worker thread and their results, as both sides know them.
import type { MessagePort, Worker } from 'node:worker_threads'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { lowerThreadPriority } from '../system/index.ts'
import { closedMessage, type ThreadMessage, type ThreadOptions, type Threads } from './threads.ts'

interface Call {
  kind: 'call'
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

export interface WorkerCalls {
  call<T>(verb: string, request: unknown): Promise<T>
  /** Releases the thread once the worker has answered its calls and has closed what it had opened. */
  close(): Promise<void>
}

/** The worker starts with the first call, and is restarted if it dies. It does not keep the process alive. */
export function workerCalls(threads: Threads, options: ThreadOptions): WorkerCalls {
  let worker: Worker | null = null
  let closed = false
  let next = 1
  const waiting = new Map<number, PromiseWithResolvers<never>>()

  const failAll = (ended: Worker, error: Error): void => {
    if (worker !== ended) return
    worker = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = threads.start(options)
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
  return {
    call: async (verb, request) => {
      if (closed) throw new Error('The server is closing.')
      worker ??= start()
      worker.ref()
      const id = next++
      worker.postMessage({ kind: 'call', id, verb, request } satisfies Call)
      const answer = Promise.withResolvers<never>()
      waiting.set(id, answer)
      return answer.promise
    },
    close: async () => {
      closed = true
      await Promise.allSettled([...waiting.values()].map(({ promise }) => promise))
      if (worker !== null) await threads.release(worker)
      worker = null
    },
  }
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

/** What a worker does with its calls, over what it has opened. */
export interface CallHandler {
  answer(verb: string, request: unknown): Promise<unknown>
  close(): Promise<void>
}

/** The worker's side: calls are answered in order, and readers have priority. */
export function serveCalls(port: MessagePort, open: (data: unknown) => CallHandler): void {
  lowerThreadPriority()
  let handler: CallHandler
  let last: Promise<void> = Promise.resolve()
  const answer = async ({ id, verb, request }: Call): Promise<void> => {
    try {
      const result = await handler.answer(verb, request)
      const { answer: sent, bytes } =
        result instanceof TransferredAnswer ? result : new TransferredAnswer(result, [])
      port.postMessage({ id, answer: sent } satisfies Answer, bytes)
    } catch (error) {
      port.postMessage({ id, error: serializeError(error) } satisfies Answer)
    }
  }
  port.on('message', (message: Call | ThreadMessage) => {
    last = last.then(async () => {
      if (message.kind === 'call') return answer(message)
      if (message.kind === 'open') handler = open(message.data)
      else {
        await handler.close()
        port.postMessage(closedMessage)
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
