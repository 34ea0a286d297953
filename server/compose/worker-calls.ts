// Calls to a worker thread and their results, as both sides know them.
import type { MessagePort, Worker } from 'node:worker_threads'
import { deserializeError, serializeError, type SerializedError } from '#kernel/errors/serialized-error.ts'
import type { WriteRunner } from '../pipeline/index.ts'
import { lowerThreadPriority } from '../system/index.ts'
import { serverClosing } from './server-closing.ts'
import { closedMessage, type ThreadMessage, type ThreadOptions, type Threads } from './threads.ts'

interface Call {
  kind: 'call'
  id: number
  verb: string
  request: unknown
}

/** The result of a call; before it, the call can take turns to write. */
type Answer =
  | { id: number; answer: unknown }
  | { id: number; error: SerializedError }
  | { id: number; turn: 'wanted' | 'over' }

/** A call may write from now on. */
interface TurnGranted {
  kind: 'turn'
  id: number
}

interface WaitingCall {
  turn: WriteRunner | undefined
  answer: PromiseWithResolvers<never>
  /** Ends the turn that the call has. */
  endTurn: () => void
  /** Resolves once the last turn of the call is over for others too. */
  turnOver: Promise<unknown>
}

export interface WorkerCalls {
  /** @param turn where the worker waits before it writes, if it does */
  call<T>(verb: string, request: unknown, turn?: WriteRunner): Promise<T>
  /** Sends more for a call that has begun: even if the worker is being closed, which waits for it. */
  callNext<T>(verb: string, request: unknown): Promise<T>
  /** Releases the thread once the worker has answered its calls and has closed what it had opened. */
  close(): Promise<void>
}

/** The worker starts with the first call, and is restarted if it dies. It does not keep the process alive. */
export function workerCalls(threads: Threads, options: ThreadOptions): WorkerCalls {
  let worker: Worker | null = null
  let closed = false
  let next = 1
  const waiting = new Map<number, WaitingCall>()

  const failAll = (ended: Worker, error: Error): void => {
    if (worker !== ended) return
    worker = null
    for (const { answer, endTurn } of waiting.values()) {
      answer.reject(error)
      endTurn()
    }
    waiting.clear()
  }
  const giveTurn = (to: Worker, id: number, call: WaitingCall): void => {
    const turn = call.turn!.run(() => {
      // The worker may have died while it waited.
      if (!waiting.has(id)) return
      return new Promise<void>((over) => {
        call.endTurn = over
        to.postMessage({ kind: 'turn', id } satisfies TurnGranted)
      })
    })
    turn.catch(() => undefined)
    call.turnOver = turn
  }
  const start = (): Worker => {
    const started = threads.start(options)
    started.on('message', (answer: Answer) => {
      const call = waiting.get(answer.id)
      if (call === undefined) return
      if ('turn' in answer)
        return answer.turn === 'over' ? call.endTurn() : giveTurn(started, answer.id, call)
      waiting.delete(answer.id)
      if (waiting.size === 0) started.unref()
      if ('error' in answer) call.answer.reject(deserializeError(answer.error))
      else call.answer.resolve(answer.answer as never)
    })
    started.on('error', (error) => failAll(started, error as Error))
    started.on('exit', () => failAll(started, new Error('The worker stopped before it responded.')))
    return started
  }
  const send = async <T>(
    to: Worker,
    { verb, request, turn }: { verb: string; request: unknown; turn?: WriteRunner | undefined },
  ): Promise<T> => {
    to.ref()
    const id = next++
    to.postMessage({ kind: 'call', id, verb, request } satisfies Call)
    const answer = Promise.withResolvers<never>()
    const call: WaitingCall = {
      ...{ turn, answer },
      endTurn: () => undefined,
      turnOver: Promise.resolve(),
    }
    waiting.set(id, call)
    const result = await answer.promise
    await call.turnOver
    return result
  }
  return {
    call: async (verb, request, turn) => {
      if (closed) throw serverClosing()
      worker ??= start()
      return send(worker, { verb, request, turn })
    },
    callNext: async (verb, request) => {
      if (worker === null) throw serverClosing()
      return send(worker, { verb, request })
    },
    close: async () => {
      closed = true
      await Promise.allSettled([...waiting.values()].map(({ answer }) => answer.promise))
      if (worker !== null) await threads.release(worker)
      worker = null
    },
  }
}

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
  /**
   * @param turn lets the call write while no other thread does
   * @param letNextBegin lets the next call begin before this one is answered
   */
  answer(verb: string, request: unknown, turn: WriteRunner, letNextBegin: () => void): Promise<unknown>
  close(): Promise<void>
}

/**
 * The worker's side: calls run in order, one at a time. While a call waits for its turn to write, later calls run: the
 * writer that has the turn may wait for one of them.
 * @param priority `low` if readers have priority
 */
export function serveCalls(
  port: MessagePort,
  open: (data: unknown) => CallHandler,
  { priority = 'low' }: { priority?: 'low' | 'normal' } = {},
): void {
  if (priority === 'low') lowerThreadPriority()
  let handler: CallHandler
  let last: Promise<void> = Promise.resolve()
  const waiting = new Map<number, () => void>()
  const turnOf = (id: number, wait: () => void): WriteRunner => ({
    run: async (work) => {
      await new Promise<void>((granted) => {
        waiting.set(id, granted)
        port.postMessage({ id, turn: 'wanted' } satisfies Answer)
        wait()
      })
      try {
        return await work()
      } finally {
        port.postMessage({ id, turn: 'over' } satisfies Answer)
      }
    },
  })
  const answer = async ({ id, verb, request }: Call, wait: () => void): Promise<void> => {
    try {
      const result = await handler.answer(verb, request, turnOf(id, wait), wait)
      const { answer: sent, bytes } =
        result instanceof TransferredAnswer ? result : new TransferredAnswer(result, [])
      port.postMessage({ id, answer: sent } satisfies Answer, bytes)
    } catch (error) {
      port.postMessage({ id, error: serializeError(error) } satisfies Answer)
    }
  }
  port.on('message', (message: Call | TurnGranted | ThreadMessage) => {
    if (message.kind === 'turn') {
      waiting.get(message.id)?.()
      return void waiting.delete(message.id)
    }
    last = last.then(async () => {
      if (message.kind === 'call')
        return new Promise<void>((next) => void answer(message, next).finally(next))
      if (message.kind === 'open') handler = open(message.data)
      else {
        await handler.close()
        port.postMessage(closedMessage)
      }
    })
  })
}
