import { afterEach, describe, expect, it } from 'vitest'
import { newThreads, reusedThreads, type ThreadOptions } from './threads.ts'
import { workerPool, type PoolOptions, type WorkerPool } from './worker-pool.ts'

// What a worker does with a request; the request's name selects the work.
const source = `
  import { parentPort, threadId } from 'node:worker_threads'
  const end = (answer, spent = false) => parentPort.postMessage({ kind: 'answer', answer, spent })
  parentPort.on('message', (message) => {
    if (message.kind === 'open') return parentPort.postMessage({ kind: 'ready' })
    if (message.kind === 'close') return parentPort.postMessage({ kind: 'closed' })
    if (message.kind === 'reply') return end(message.data)
    const { work, ms } = message.request
    if (work === 'wait') setTimeout(() => end(threadId), ms)
    if (work === 'spin') for (;;);
    if (work === 'grow') { const kept = []; for (;;) kept.push(Array(1000).fill(Math.random())) }
    if (work === 'ask') parentPort.postMessage({ kind: 'ask', id: 1, name: 'turn', data: null })
    if (work === 'exit') process.exit(3)
  })`

const thread = (code: string): ThreadOptions => ({
  file: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
  data: null,
  resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
})

const opened: WorkerPool[] = []
afterEach(() => Promise.all(opened.splice(0).map((pool) => pool.close())))

function pool(
  terms: Partial<PoolOptions> = {},
  handleAsk = async (): Promise<unknown> => 'granted',
): WorkerPool {
  const newPool = workerPool(
    {
      threads: newThreads,
      thread: thread(source),
      ...{ size: 2, perCaller: 1, maxWaitingPerCaller: 3, idleMs: 1000 },
      ...terms,
    },
    handleAsk,
  )
  opened.push(newPool)
  return newPool
}

const call = (caller: string, work: string, ms = 0, deadlineMs = 20_000) => ({
  ...{ caller, transfer: [], deadlineMs },
  request: { work, ms },
})

describe('a pool of workers', () => {
  it('ends a call at its deadline and serves the next one', async () => {
    const workers = pool({ size: 1 })
    const spinning = workers.call(call('a', 'spin', 0, 300))
    await expect(spinning).rejects.toMatchObject({ code: 'limit.deadline' })
    await expect(workers.call(call('a', 'wait'))).resolves.toBeGreaterThan(0)
  })

  it('ends a query with an error of its own, which names a faster filter', async () => {
    const spinning = pool({ size: 1 }).call({
      ...call('a', 'spin', 0, 300),
      deadlineError: 'limit.query_deadline',
    })
    await expect(spinning).rejects.toMatchObject({
      code: 'limit.query_deadline',
      message: expect.stringContaining('Compare a field that is indexed'),
    })
  })

  it('ends a call that needs too much memory and serves the next one', async () => {
    const workers = pool({ size: 1 })
    await expect(workers.call(call('a', 'grow'))).rejects.toMatchObject({ code: 'limit.memory' })
    await expect(workers.call(call('a', 'wait'))).resolves.toBeGreaterThan(0)
  })

  it('does not affect the calls of others', async () => {
    const workers = pool()
    const bad = workers.call(call('a', 'spin', 0, 500))
    const others = [1, 2, 3].map(() => workers.call(call('b', 'wait', 10)))
    expect(await Promise.all(others)).toHaveLength(3)
    await expect(bad).rejects.toMatchObject({ code: 'limit.deadline' })
  })

  it('leaves a worker to others, regardless of the calls of one caller', async () => {
    const workers = pool()
    const ended: string[] = []
    const many = [1, 2, 3].map(() => workers.call(call('a', 'wait', 200)).then(() => ended.push('a')))
    await workers.call(call('b', 'wait')).then(() => ended.push('b'))
    await Promise.all(many)
    expect(ended).toEqual(['b', 'a', 'a', 'a'])
  })

  it('serves waiting callers in turn', async () => {
    const workers = pool({ size: 1 })
    const order: string[] = []
    const one = (caller: string) => workers.call(call(caller, 'wait', 20)).then(() => order.push(caller))
    await Promise.all([one('a'), one('a'), one('a'), one('b')])
    expect(order).toEqual(['a', 'a', 'b', 'a'])
  })

  it('refuses more waiting calls of one caller than it queues', async () => {
    const workers = pool({ size: 1 })
    const kept = [1, 2, 3, 4].map(() => workers.call(call('a', 'wait', 10)))
    await expect(workers.call(call('a', 'wait'))).rejects.toMatchObject({ code: 'limit.busy', retryAfter: 1 })
    await Promise.all(kept)
  })

  it('grants what a worker requests, and takes it back when the call ends', async () => {
    let ends = 0
    const handleAsk = async (_ask: unknown, onEnd: (ended: () => void) => void): Promise<unknown> => {
      onEnd(() => (ends += 1))
      return 'granted'
    }
    const workers = pool({}, handleAsk as never)
    expect(await workers.call(call('a', 'ask'))).toBe('granted')
    expect(ends).toBe(1)
  })

  it('takes back what is granted to a worker that reached its deadline while it waited', async () => {
    const ended = Promise.withResolvers<void>()
    const handleAsk = async (_ask: unknown, onEnd: (ended: () => void) => void): Promise<unknown> => {
      await lost
      onEnd(ended.resolve)
      return 'granted'
    }
    const asking = pool({ size: 1 }, handleAsk as never).call(call('a', 'ask', 0, 200))
    const lost = asking.catch((error: unknown) => error)
    expect(await lost).toMatchObject({ code: 'limit.deadline' })
    await ended.promise
  })

  it('does not end a worker while it starts, which could abort the process', async () => {
    const steps = new Int32Array(new SharedArrayBuffer(8))
    const slow = `
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', ({ kind, data }) => {
        if (kind === 'close') return parentPort.postMessage({ kind: 'closed' })
        Atomics.store(data, 0, 1)
        Atomics.wait(data, 1, 0, 300)
        Atomics.store(data, 0, 2)
        parentPort.postMessage({ kind: 'ready' })
      })`
    const workers = pool({ thread: { ...thread(slow), data: steps } })
    workers.warm()
    await expect.poll(() => Atomics.load(steps, 0)).toBe(1)
    await workers.close()
    expect(Atomics.load(steps, 0)).toBe(2)
  })

  it('fails the call of a worker that ends, and serves the next one', async () => {
    const workers = pool({ size: 1 })
    await expect(workers.call(call('a', 'exit'))).rejects.toThrow('stopped before it responded')
    await expect(workers.call(call('a', 'wait'))).resolves.toBeGreaterThan(0)
  })

  it('serves the next pool with a thread that was released, but not with one that died or was stopped', async () => {
    const threads = reusedThreads()
    const first = pool({ threads, size: 1 })
    const id = await first.call<number>(call('a', 'wait'))
    await first.close()

    const second = pool({ threads, size: 1 })
    expect(await second.call(call('a', 'wait'))).toBe(id)
    await expect(second.call(call('a', 'spin', 0, 300))).rejects.toMatchObject({ code: 'limit.deadline' })
    await second.close()

    const third = pool({ threads, size: 1 })
    expect(await third.call(call('a', 'wait'))).not.toBe(id)
    await expect(third.call(call('a', 'exit'))).rejects.toThrow('stopped before it responded')
  })
})
