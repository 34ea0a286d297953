// Workers that several callers share: one call at a time in each, callers in turn, a deadline for each call.
import type { Worker } from 'node:worker_threads'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { DeadlineError } from '../http/budget.ts'
import { serverClosing } from './server-closing.ts'
import { tooBusy } from './too-busy.ts'
import type { ThreadMessage, ThreadOptions, Threads } from './threads.ts'
import { deserializeError, type SerializedError } from '#kernel/errors/serialized-error.ts'

export interface PoolOptions {
  threads: Threads
  thread: ThreadOptions
  /** Maximum number of workers. */
  size: number
  /**
   * Maximum number of concurrent calls of one caller; lower than the number of workers, so that others find a free one.
   */
  perCaller: number
  /** Maximum number of waiting calls of one caller. */
  maxWaitingPerCaller: number
  /** An idle worker is ended after this time; the first one stays. */
  idleMs: number
}

export interface PoolCall {
  caller: string
  request: unknown
  /** Memory that is transferred with the call. */
  transfer: ArrayBuffer[]
  deadlineMs: number
  deadlineError?: DeadlineError
}

/** A message of a worker: the end of its call, or a request in the meantime. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'answer'; answer: unknown; spent: boolean }
  | { kind: 'error'; error: SerializedError }
  | { kind: 'ask'; id: number; name: string; data: unknown }

export type PoolMessage =
  ThreadMessage | { kind: 'call'; request: unknown } | { kind: 'reply'; id: number; data: unknown }

/** A worker's request during a call. `ended` is called once the worker has ended its call, in any way. */
export type AskHandler = (
  ask: { name: string; data: unknown },
  onEnd: (ended: () => void) => void,
) => Promise<unknown>

export interface WorkerPool {
  call<T>(call: PoolCall): Promise<T>
  /** Starts a worker ahead of the first call. */
  warm(): void
  close(): Promise<void>
}

interface Waiting extends PoolCall {
  resolve: (answer: never) => void
  reject: (error: Error) => void
}

interface Slot {
  worker: Worker
  /** Whether it has started; the start does not count towards the call. */
  ready: boolean
  /** Resolves once it can be ended: it has started, has ended, or will never start. */
  started: PromiseWithResolvers<void>
  running: Waiting | null
  deadline: NodeJS.Timeout | undefined
  idle: NodeJS.Timeout | undefined
  ends: Set<() => void>
}

/** A worker that has not started by then never will. */
const maxStartMs = 60_000

export function workerPool(terms: PoolOptions, handleAsk: AskHandler): WorkerPool {
  const slots = new Set<Slot>()
  const queues = new Map<string, Waiting[]>()
  /** Workers that are ending, which a close waits for. */
  const ending = new Set<Promise<unknown>>()
  let closed = false

  const runningOf = (caller: string): number =>
    [...slots].filter(({ running }) => running?.caller === caller).length

  const start = (): Slot => {
    const worker = terms.threads.start(terms.thread)
    const slot: Slot = {
      worker,
      ready: false,
      started: Promise.withResolvers(),
      running: null,
      deadline: undefined,
      idle: undefined,
      ends: new Set(),
    }
    slots.add(slot)
    worker.on('message', (message: WorkerMessage) => handleMessage(slot, message))
    worker.on('error', (error) => handleLoss(slot, endOf(error)))
    worker.on('exit', () => {
      slot.started.resolve()
      handleLoss(slot, new Error('The worker stopped before it responded.'))
    })
    setTimeout(slot.started.resolve, maxStartMs).unref()
    return slot
  }

  const handleMessage = (slot: Slot, message: WorkerMessage): void => {
    if (message.kind === 'ready') {
      slot.ready = true
      slot.started.resolve()
      if (slot.running !== null) runDeadline(slot, slot.running)
      return
    }
    if (message.kind === 'ask') {
      const { id, name, data } = message
      const onEnd = (ended: () => void): void => {
        // A worker that was lost while it waited does not hold what it is granted.
        if (slots.has(slot)) slot.ends.add(ended)
        else ended()
      }
      handleAsk({ name, data }, onEnd).then(
        (reply) => slot.worker.postMessage({ kind: 'reply', id, data: reply } satisfies PoolMessage),
        (error: unknown) => handleLoss(slot, error as Error),
      )
      return
    }
    const call = finish(slot)
    if (message.kind === 'error') call?.reject(deserializeError(message.error))
    else call?.resolve(message.answer as never)
    if (message.kind === 'answer' && message.spent) retire(slot)
    else rest(slot)
    dispatch()
  }

  const runDeadline = (slot: Slot, { deadlineMs, deadlineError }: PoolCall): void => {
    clearTimeout(slot.deadline)
    slot.deadline = setTimeout(() => handleLoss(slot, tooLong(deadlineMs, deadlineError)), deadlineMs)
  }

  /** Frees the slot, and releases what its call held. */
  const finish = (slot: Slot): Waiting | null => {
    const call = slot.running
    slot.running = null
    clearTimeout(slot.deadline)
    for (const ended of slot.ends) ended()
    slot.ends.clear()
    slot.worker.unref()
    return call
  }

  const rest = (slot: Slot): void => {
    slot.idle = setTimeout(() => {
      if (slots.size > 1) retire(slot)
    }, terms.idleMs).unref()
  }

  const retire = (slot: Slot, end = terms.threads.end): void => {
    clearTimeout(slot.idle)
    slots.delete(slot)
    const ended = endOnceStarted(slot, end).finally(() => ending.delete(ended))
    ending.add(ended)
  }

  /** Handles a worker that ended, or is ended: its call fails, and the next one starts a new worker. */
  const handleLoss = (slot: Slot, error: Error): void => {
    if (!slots.has(slot)) return
    // In this order: a worker that is ending keeps the process alive until it has ended.
    const call = finish(slot)
    retire(slot)
    call?.reject(error)
    dispatch()
    // The next caller should not wait for a start.
    if (slots.size === 0 && !closed) rest(start())
  }

  /** The first waiting call of a caller with room; that caller goes to the end of the queue. */
  const next = (): Waiting | undefined => {
    for (const [caller, queue] of queues) {
      if (runningOf(caller) >= terms.perCaller) continue
      const call = queue.shift()!
      queues.delete(caller)
      if (queue.length > 0) queues.set(caller, queue)
      return call
    }
    return undefined
  }

  const dispatch = (): void => {
    while (!closed) {
      const free = [...slots].find(({ running }) => running === null)
      if (free === undefined && slots.size >= terms.size) return
      const call = next()
      if (call === undefined) return
      const slot = free ?? start()
      clearTimeout(slot.idle)
      slot.running = call
      slot.worker.ref()
      if (slot.ready) runDeadline(slot, call)
      else
        slot.deadline = setTimeout(() => handleLoss(slot, new Error('A worker did not start.')), maxStartMs)
      slot.worker.postMessage({ kind: 'call', request: call.request } satisfies PoolMessage, call.transfer)
    }
  }

  return {
    call: (call) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(call.caller) ?? []
        if (queue.length >= terms.maxWaitingPerCaller) return reject(tooBusy(terms.maxWaitingPerCaller))
        queue.push({ ...call, resolve, reject })
        queues.set(call.caller, queue)
        dispatch()
      }),
    warm: () => {
      if (slots.size === 0 && !closed) rest(start())
    },
    close: async () => {
      closed = true
      for (const slot of slots)
        if (slot.running === null) retire(slot, terms.threads.release)
        else handleLoss(slot, serverClosing())
      await Promise.all(ending)
    },
  }
}

/** Node aborts the whole process if a thread is ended while it loads a native module, as it does at its start. */
async function endOnceStarted({ worker, started }: Slot, end: Threads['end']): Promise<void> {
  // Otherwise a process that only waits for this would exit first.
  worker.ref()
  await started.promise
  await end(worker)
}

function endOf(error: unknown): Error {
  const { code } = error as { code?: string }
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : (error as Error)
}

function tooMuchMemory(): AlmanacError {
  return new AlmanacError(
    'limit.memory',
    'The request needed more memory than one request is allowed, so it was stopped. Nothing was changed. Send fewer items per request.',
  )
}

function tooLong(deadlineMs: number, code: DeadlineError = 'limit.deadline'): AlmanacError {
  const seconds = `longer than the ${deadlineMs / 1000} seconds allowed here, so it was stopped.`
  return code === 'limit.query_deadline'
    ? new AlmanacError(
        code,
        `The query took ${seconds} Compare a field that is indexed, such as a reference, a unique field or the name field, or store what the filter computes in a formula.`,
      )
    : new AlmanacError(code, `The request took ${seconds} Nothing was changed. Send fewer items per request.`)
}
