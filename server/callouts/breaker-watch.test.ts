import { describe, expect, it } from 'vitest'
import { ManualTimer } from '../../test/support/manual-timer.ts'
import { memoryCalloutLimits } from '../../test/support/memory-callout-limits.ts'
import { BreakerWatch, type BreakerPass } from './breaker-watch.ts'

const policy = { failureThreshold: 3, windowSec: 60, openSec: 30 }

function watching() {
  const timer = new ManualTimer()
  const limits = memoryCalloutLimits(() => 1_700_000_000_000 + timer.elapsedMs())
  const transitions: string[] = []
  let tokens = 0
  const watch = (process: string) =>
    new BreakerWatch(
      {
        limits,
        timer,
        newToken: () => `token ${tokens++}`,
        onTransition: (credential, { from, to, cause }) =>
          transitions.push(`${process}: ${credential} ${from} > ${to}, ${cause}`),
      },
      'billing',
    )
  return { timer, limits, transitions, watch }
}

async function pass(watch: BreakerWatch): Promise<BreakerPass> {
  const admitted = await watch.admit(policy, 5000, 'c')
  if (!('token' in admitted)) throw new Error(`refused for ${admitted.retryAfterMs} ms`)
  return admitted
}

async function fail(watch: BreakerWatch, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await watch.report(await pass(watch), 'failure', policy, 'c')
}

describe('the breaker of several processes', () => {
  it('asks the store once while calls succeed', async () => {
    const { limits, watch } = watching()
    const one = watch('one')
    for (let n = 0; n < 1000; n += 1) await one.report(await pass(one), 'success', policy, 'c')
    expect(limits.uses).toEqual({ reads: 1, swaps: 0 })
  })

  it('opens in its process at once, and in the others within a second', async () => {
    const { timer, transitions, watch } = watching()
    const [one, two] = [watch('one'), watch('two')]
    await pass(two)
    await fail(one, 3)
    expect(await one.admit(policy, 5000, 'c')).toEqual({ retryAfterMs: 30_000 })
    await timer.advance(1100)
    await two.admit(policy, 5000, 'c')
    await timer.advance(1)
    expect(await two.admit(policy, 5000, 'c')).toMatchObject({ retryAfterMs: expect.any(Number) as number })
    expect(transitions).toEqual(['one: billing closed > open, failures'])
  })

  it('counts the failures of all together', async () => {
    const { timer, transitions, watch } = watching()
    const [one, two] = [watch('one'), watch('two')]
    await fail(one, 2)
    await timer.advance(200)
    await fail(two, 1)
    await timer.advance(200)
    expect(transitions).toEqual(['two: billing closed > open, failures'])
  })

  it('writes many failures together', async () => {
    const { timer, limits, watch } = watching()
    const one = watch('one')
    const many = { ...policy, failureThreshold: 10_000 }
    for (let n = 0; n < 5000; n += 1) await one.report(await pass(one), 'failure', many, 'c')
    await timer.advance(1000)
    expect(limits.uses.swaps).toBeLessThanOrEqual(3)
    expect(await one.state()).toMatchObject({ state: 'closed', failures: [[expect.any(Number), 5000]] })
  })

  it('gives one probe to all of them, and reports each transition once', async () => {
    const { timer, transitions, watch } = watching()
    const [one, two] = [watch('one'), watch('two')]
    await fail(one, 3)
    await pass(two)
    await timer.advance(30_100)
    const admitted = await Promise.all(
      [1, 2, 3].flatMap(() => [one.admit(policy, 5000, 'c'), two.admit(policy, 5000, 'c')]),
    )
    const probes = admitted.filter((each) => 'token' in each)
    expect(probes).toHaveLength(1)
    await one.report(probes[0] as BreakerPass, 'success', policy, 'c')
    expect(await pass(one)).toEqual({ token: null })
    expect(transitions.map((line) => line.split('billing ')[1])).toEqual([
      'closed > open, failures',
      'open > half_open, open_elapsed',
      'half_open > closed, probe_succeeded',
    ])
  })

  it('gives the probe to another when its process crashed', async () => {
    const { timer, watch } = watching()
    const [one, two] = [watch('one'), watch('two')]
    await fail(one, 3)
    await timer.advance(30_100)
    const lost = await pass(one)
    expect(await two.admit(policy, 5000, 'c')).toEqual({ retryAfterMs: 1000 })
    await timer.advance(20_000)
    const next = await pass(two)
    expect(next.token).not.toBe(lost.token)
    await one.report(lost, 'success', policy, 'c')
    expect((await two.state()).state).toBe('half_open')
  })

  it('follows an administrator', async () => {
    const { timer, watch } = watching()
    const [one, two] = [watch('one'), watch('two')]
    await pass(two)
    await one.forceOpen({ actor: 'ann', correlationId: 'c', reason: 'r' }, policy)
    expect(await one.admit(policy, 5000, 'c')).toEqual({ retryAfterMs: null })
    await timer.advance(1100)
    await two.admit(policy, 5000, 'c')
    await timer.advance(1)
    expect(await two.admit(policy, 5000, 'c')).toEqual({ retryAfterMs: null })
    await two.forceClose({ actor: 'bob', correlationId: 'c', reason: 'r' }, policy)
    expect(await pass(two)).toEqual({ token: null })
  })
})
