import { EventEmitter } from 'node:events'
import { MessageChannel, type Worker } from 'node:worker_threads'
import { beforeEach, describe, expect, it } from 'vitest'
import { WriteQueue } from '../pipeline/write-queue.ts'
import { sendLists } from './sent-lists.ts'
import type { Threads } from './threads.ts'
import { serveCalls, workerCalls, type WorkerCalls } from './worker-calls.ts'

/** A thread that the test plays. */
class PlayedThread extends EventEmitter {
  readonly received: unknown[] = []
  ref(): void {}
  unref(): void {}
  postMessage(message: unknown): void {
    this.received.push(message)
  }
}

const settled = (): Promise<void> => new Promise(setImmediate)

let thread: PlayedThread
let queue: WriteQueue
let calls: WorkerCalls

beforeEach(() => {
  thread = new PlayedThread()
  queue = new WriteQueue()
  const threads: Pick<Threads, 'start'> = { start: () => thread as unknown as Worker }
  calls = workerCalls(threads as Threads, {
    file: new URL('file:///worker.ts'),
    resourceLimits: {},
    data: null,
  })
})

it('is closed after a call that waits for more, which still comes', async () => {
  let isReleased = false
  const threads = { start: () => thread as unknown as Worker, release: async () => void (isReleased = true) }
  const closing = workerCalls(threads as unknown as Threads, {
    ...{ file: new URL('file:///worker.ts'), resourceLimits: {}, data: null },
  })
  const arrived = Promise.withResolvers<void>()
  const lists = async function* () {
    yield 'first'
    await arrived.promise
    yield 'second'
  }
  const result = sendLists(
    lists(),
    (call) => closing.call<string>('receive', call),
    (next) => closing.callNext('receiveNext', next),
  )
  await settled()
  const closed = closing.close()
  arrived.resolve()
  await settled()
  expect(isReleased).toBe(false)
  const sent = thread.received as { id: number; request: { list?: string | null } }[]
  expect(sent.slice(1).map(({ request }) => request.list)).toEqual(['first', 'second', null])
  for (const { id } of sent.toReversed()) thread.emit('message', { id, answer: 'written' })
  expect(await result).toBe('written')
  await closed
  expect(isReleased).toBe(true)
  await expect(closing.callNext('receiveNext', null)).rejects.toThrow()
})

describe('the turn of a call', () => {
  it('is given after the earlier writers, and ends when the worker ends it', async () => {
    const order: string[] = []
    const answer = calls.call<string>('commit', null, queue).then((text) => order.push(text))
    const earlier = Promise.withResolvers<void>()
    void queue.run(() => earlier.promise)
    thread.emit('message', { id: 1, turn: 'wanted' })
    await settled()
    expect(thread.received).toEqual([{ kind: 'call', id: 1, verb: 'commit', request: null }])
    earlier.resolve()
    await settled()
    expect(thread.received.at(-1)).toEqual({ kind: 'turn', id: 1 })
    const later = queue.run(() => order.push('later writer'))
    await settled()
    expect(order).toEqual([])
    thread.emit('message', { id: 1, turn: 'over' })
    await later
    thread.emit('message', { id: 1, answer: 'answer' })
    await answer
    expect(order).toEqual(['later writer', 'answer'])
  })

  it('ends with its worker', async () => {
    const answer = calls.call('commit', null, queue)
    thread.emit('message', { id: 1, turn: 'wanted' })
    await settled()
    thread.emit('exit')
    await expect(answer).rejects.toThrow('The worker stopped')
    await expect(queue.run(() => 'written')).resolves.toBe('written')
  })

  it('is not given to a worker that ended while it waited', async () => {
    const earlier = Promise.withResolvers<void>()
    void queue.run(() => earlier.promise)
    const answer = calls.call('commit', null, queue)
    thread.emit('message', { id: 1, turn: 'wanted' })
    thread.emit('exit')
    await expect(answer).rejects.toThrow('The worker stopped')
    earlier.resolve()
    await expect(queue.run(() => 'written')).resolves.toBe('written')
    expect(thread.received).toHaveLength(1)
  })

  it('delays the answer until readers have what was written', async () => {
    const activated = Promise.withResolvers<void>()
    let isAnswered = false
    const turn = {
      run: <T>(work: () => Promise<T> | T): Promise<T> =>
        queue.run(async () => {
          const result = await work()
          await activated.promise
          return result
        }),
    }
    const answer = calls.call('commit', null, turn).then(() => (isAnswered = true))
    thread.emit('message', { id: 1, turn: 'wanted' })
    await settled()
    thread.emit('message', { id: 1, turn: 'over' })
    thread.emit('message', { id: 1, answer: null })
    await settled()
    expect(isAnswered).toBe(false)
    activated.resolve()
    await answer
  })
})

describe('a worker', () => {
  it('runs its calls in order, and later ones while one waits for its turn', async () => {
    const { port1, port2 } = new MessageChannel()
    const order: string[] = []
    serveCalls(port1, () => ({
      answer: async (verb, _request, turn) => {
        order.push(`${verb} begins`)
        if (verb === 'commit') await turn.run(() => order.push('commit writes'))
        else await settled()
        order.push(`${verb} ends`)
      },
      close: async () => undefined,
    }))
    const call = (id: number, verb: string): void =>
      port2.postMessage({ kind: 'call', id, verb, request: null })
    const messages: unknown[] = []
    const allAnswered = new Promise<void>((done) =>
      port2.on('message', (message: { id: number; turn?: string }) => {
        messages.push(message)
        // The turn is given once everything else is done.
        if (message.id === 3) port2.postMessage({ kind: 'turn', id: 1 })
        if (message.id === 1 && message.turn === undefined) done()
      }),
    )
    port2.postMessage({ kind: 'open', data: null })
    call(1, 'commit')
    call(2, 'plan')
    call(3, 'load')
    await allAnswered
    port2.close()
    expect(order).toEqual([
      ...['commit begins', 'plan begins', 'plan ends', 'load begins', 'load ends'],
      ...['commit writes', 'commit ends'],
    ])
    expect(messages).toMatchObject([
      { id: 1, turn: 'wanted' },
      { id: 2 },
      { id: 3 },
      { id: 1, turn: 'over' },
      { id: 1 },
    ])
  })
})
