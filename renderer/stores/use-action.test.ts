import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useAction } from './use-action.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a second start during the first is ignored', async () => {
  const action = useAction()
  const reply = Promise.withResolvers<string>()
  let runCount = 0
  const work = (): Promise<string> => {
    runCount += 1
    return reply.promise
  }
  const [first, second] = [action.run(work), action.run(work)]
  expect(action.working.value).toBe(true)
  reply.resolve('made')
  expect([await first, await second, runCount]).toEqual(['made', undefined, 1])
})

it('its buttons stay disabled for the time of a double-click, even if the response was faster', async () => {
  const action = useAction()
  await action.run(() => Promise.resolve())
  await vi.advanceTimersByTimeAsync(250)
  expect(action.working.value).toBe(true)
  await vi.advanceTimersByTimeAsync(200)
  expect(action.working.value).toBe(false)
  const slow = action.run(() => new Promise((done) => setTimeout(done, 1000)))
  await vi.advanceTimersByTimeAsync(1000)
  await slow
  expect(action.working.value).toBe(false)
})

it('after a failure it can be started again at once, and the failure is shown until then', async () => {
  const errors: unknown[] = []
  const action = useAction({ onError: (error) => errors.push(error) })
  const error = new Error('refused')
  expect(await action.run(() => Promise.reject(error))).toBeUndefined()
  expect([action.working.value, action.failure.value, errors]).toEqual([false, 'refused', [error]])
  expect(await action.run(() => Promise.resolve(1))).toBe(1)
  expect(action.failure.value).toBe('')
})

it('if `onError` fails too, it can still be started again', async () => {
  const action = useAction({ onError: () => Promise.reject(new Error('the reload failed')) })
  await expect(action.run(() => Promise.reject(new Error('refused')))).rejects.toThrow('the reload failed')
  expect([action.working.value, action.failure.value]).toEqual([false, 'refused'])
})
