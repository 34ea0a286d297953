import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backoffMs, maxRetryWaitMs, retrySchedule } from './retry-schedule.ts'

const policy = { attempts: 4, backoff: 'exponential', baseMs: 200, jitter: true, retryOn: [] } as const
const moments = (more: object): [number, number][] =>
  retrySchedule({ ...policy, ...more } as never).map(({ earliestMs, latestMs }) => [earliestMs, latestMs])

it('doubles each wait, and gives the second half of each to chance', () => {
  expect(moments({})).toEqual([
    [0, 0],
    [100, 200],
    [300, 600],
    [700, 1400],
  ])
  expect(moments({ jitter: false, backoff: 'fixed' })).toEqual([0, 200, 400, 600].map((at) => [at, at]))
  expect(moments({ attempts: 1 })).toEqual([[0, 0]])
  expect(moments({ attempts: 3, baseMs: maxRetryWaitMs, jitter: false }).at(-1)).toEqual([
    7_200_000, 7_200_000,
  ])
})

it('contains every attempt that can follow', () => {
  const policies = fc.record({
    attempts: fc.integer({ min: 1, max: 20 }),
    backoff: fc.constantFrom('exponential', 'fixed'),
    baseMs: fc.integer({ min: 1, max: maxRetryWaitMs }),
    jitter: fc.boolean(),
  })
  const chances = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 20,
    maxLength: 20,
  })
  fc.assert(
    fc.property(policies, chances, (more, random) => {
      const each = { ...policy, ...more } as never
      let at = 0
      for (const { n, earliestMs, latestMs } of retrySchedule(each)) {
        if (n > 1) at += backoffMs(each, n - 1, random[n - 1]!)
        expect(at >= earliestMs && at <= latestMs).toBe(true)
      }
    }),
  )
})
