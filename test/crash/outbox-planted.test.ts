// Faults in the worker that the check of the kills must report.
import { afterEach, describe, expect, it } from 'vitest'
import { faultsOf, readCalls } from './outbox/check.ts'
import { killAgain, newGround, takeOver, type Ground } from './outbox/run.ts'

let ground: Ground
afterEach(() => ground.close())

/** Until the check reports such a fault. */
async function reports(expected: RegExp, work: () => Promise<unknown>): Promise<boolean> {
  ground = await newGround()
  for (let round = 0; round < 30; round += 1) {
    await work()
    const faults = faultsOf(await readCalls(ground.dir), ground.target)
    if (faults.some((fault) => expected.test(fault))) return true
  }
  return false
}

describe('the check of the kills reports', () => {
  it('an attempt that is counted after it was sent', async () => {
    const work = () => killAgain(ground, { kills: 1, planted: 'late_count', at: 'ended' })
    expect(await reports(/attempts are counted$|cannot be repeated/, work)).toBe(true)
  })

  it('a budget that a restart forgets', async () => {
    const { clock, target, start } = (ground = await newGround())
    target.recover()
    const sent = (): number => target.received.filter(({ credential }) => credential === 'narrow').length
    for (const least of [20, 40]) {
      const sending = start({ saves: 10, planted: 'forgotten_budget' })
      await expect.poll(sent).toBeGreaterThanOrEqual(least)
      await sending.kill()
      clock.set(clock.movedBy() + 31_000)
    }
    expect(faultsOf(await readCalls(ground.dir), target)).toEqual([
      expect.stringMatching(/ calls of narrow within a minute/),
    ])
  })

  it('a claim that is finished without its token', async () => {
    ground = await newGround()
    await takeOver(ground, 'one_token')
    expect(faultsOf(await readCalls(ground.dir), ground.target)).toContainEqual(
      expect.stringMatching(/^read .* was sent 2 times, 1 attempts are counted$/),
    )
  })
})

it('a call that another worker has taken over is left alone', async () => {
  ground = await newGround()
  await takeOver(ground)
  expect(ground.target.received.filter(({ call }) => call.startsWith('read '))).toHaveLength(2)
  expect(faultsOf(await readCalls(ground.dir), ground.target)).toEqual([])
})
