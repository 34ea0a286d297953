import { expect, it } from 'vitest'
import { effectScope } from 'vue'
import { useLatest, type RequestHandlers } from './use-latest.ts'

/** Handlers that log what they are called with. */
function createLog(): { calls: string[]; handlers: RequestHandlers<string> } {
  const calls: string[] = []
  return {
    calls,
    handlers: {
      onResult: (result) => calls.push(result),
      onError: (error) => calls.push((error as Error).message),
      onEnd: () => calls.push('end'),
    },
  }
}

it('a late response is dropped', async () => {
  const latest = useLatest()
  const { calls, handlers } = createLog()
  const first = Promise.withResolvers<string>()
  const early = latest.run(() => first.promise, handlers)
  await latest.run(() => Promise.resolve('second'), handlers)
  first.resolve('first')
  await early
  expect(calls).toEqual(['second', 'end'])
})

it('an error of an earlier request is dropped, and one of the latest is reported', async () => {
  const latest = useLatest()
  const { calls, handlers } = createLog()
  const first = Promise.withResolvers<string>()
  const early = latest.run(() => first.promise, handlers)
  await latest.run(() => Promise.reject(new Error('second failed')), handlers)
  first.reject(new Error('first failed'))
  await early
  expect(calls).toEqual(['second failed', 'end'])
})

it('an error rejects the promise if nothing handles it, but not after a newer request', async () => {
  const latest = useLatest()
  const onResult = (): void => undefined
  await expect(latest.run(() => Promise.reject(new Error('failed')), { onResult })).rejects.toThrow('failed')
  const first = Promise.withResolvers<string>()
  const early = latest.run(() => first.promise, { onResult })
  latest.cancel()
  first.reject(new Error('late'))
  await expect(early).resolves.toBeUndefined()
})

it('the signal of a request is aborted by the next one, and a request of several steps ends there', async () => {
  const latest = useLatest()
  const { calls, handlers } = createLog()
  const step = Promise.withResolvers<undefined>()
  const early = latest.run(async (signal) => {
    await step.promise
    signal.throwIfAborted()
    calls.push('second step')
    return 'first'
  }, handlers)
  await latest.run(() => Promise.resolve('second'), handlers)
  step.resolve(undefined)
  await early
  expect(calls).toEqual(['second', 'end'])
})

it('a continuation is dropped together with the request that it continues, and replaces nothing', async () => {
  const latest = useLatest()
  const { calls, handlers } = createLog()
  const [first, page] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const running = latest.run(() => first.promise, handlers)
  const more = latest.extend(() => page.promise, handlers)
  first.resolve('first')
  await running
  expect(calls).toEqual(['first', 'end'])
  await latest.run(() => Promise.resolve('second'), handlers)
  page.resolve('page of the first')
  await more
  expect(calls).toEqual(['first', 'end', 'second', 'end'])
})

it('a request is aborted when its component or store is disposed', async () => {
  const scope = effectScope()
  const latest = scope.run(useLatest)!
  const { calls, handlers } = createLog()
  const first = Promise.withResolvers<string>()
  let aborted = false
  const running = latest.run((signal) => {
    signal.addEventListener('abort', () => (aborted = true))
    return first.promise
  }, handlers)
  scope.stop()
  first.resolve('first')
  await running
  expect([aborted, calls]).toEqual([true, []])
})
