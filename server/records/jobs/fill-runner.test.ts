import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFillRunner } from './fill-runner.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tries again after a rest that grows, until the jobs are created', async () => {
  let failures = 3
  const users: string[] = []
  const errors: unknown[] = []
  const runner = createFillRunner({
    createFills: async (user) => {
      users.push(user)
      if ((failures -= 1) >= 0) throw new Error('busy')
    },
    onError: (error) => void errors.push(error),
  })
  runner.wake('ada')
  await vi.advanceTimersByTimeAsync(0)
  expect(users).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(250 + 500 + 999)
  expect(users).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(users).toEqual(['ada', 'ada', 'ada', 'ada'])
  expect(errors).toHaveLength(3)
})

it('does not try again after it was closed', async () => {
  let tries = 0
  const runner = createFillRunner({
    createFills: async () => {
      tries += 1
      throw new Error('busy')
    },
    onError: () => undefined,
  })
  runner.wake('ada')
  await vi.advanceTimersByTimeAsync(0)
  await runner.close()
  runner.wake('ada')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tries).toBe(1)
})
