// SIGKILL at each stage of an apply, and at random moments: the org opens intact, at the old or the new generation.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultPoints } from '../../server/pipeline/index.ts'
import { checkWhole, type Whole } from './check-whole.ts'
import { killAfter, killAt } from './child.ts'
import { makeOrg } from './sample.ts'

/** At each stage; even, because two orgs share them. */
const KILLS = Number(process.env['ALMANAC_KILLS'] ?? 2)
const RANDOM_KILLS = 5 * KILLS
const folder = mkdtempSync(join(tmpdir(), 'almanac-kill-'))

beforeAll(() => Promise.all([makeOrg(join(folder, 'a')), makeOrg(join(folder, 'b'))]))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Kills an apply to an org in a given state, and returns the state after it. */
type Kill = (dir: string, before: Whole, round: number) => Promise<Whole>

/** Two orgs in parallel; each continues from the state after its last kill. */
function inBoth(kills: number, kill: Kill): Promise<unknown> {
  return Promise.all(
    ['a', 'b'].map(async (name) => {
      const dir = join(folder, name)
      let state = checkWhole(dir)
      for (let round = 0; round < kills / 2; round += 1) state = await kill(dir, state, round)
    }),
  )
}

describe('an apply that is killed', () => {
  const committed = faultPoints.indexOf('activate')

  it.each(faultPoints)(`at "%s", ${KILLS} times, leaves one whole generation`, async (stage) => {
    await inBoth(KILLS, async (dir, before) => {
      const value = before.value + 1
      const { reached } = await killAt(dir, value, stage)
      expect(reached).toBe(true)
      const after = checkWhole(dir)
      expect(after.faults).toEqual([])
      const isNew = faultPoints.indexOf(stage) >= committed
      expect(after).toMatchObject(
        isNew
          ? { generation: before.generation + 1, value }
          : { generation: before.generation, value: before.value },
      )
      return after
    })
  })

  it(`at ${RANDOM_KILLS} random moments loses nothing that was acknowledged`, async () => {
    let acknowledgements = 0
    await inBoth(RANDOM_KILLS, async (dir, before, round) => {
      // From the first read of the first apply to well into a series of applies.
      const applies = round % 2 === 0 ? 0 : 1 + Math.floor(Math.random() * 20)
      const { acknowledged } = await killAfter(dir, before.value + 1, { applies, delay: Math.random() * 25 })
      const after = checkWhole(dir)
      expect(after.faults).toEqual([])
      const least = acknowledged ?? before
      const moved = after.generation - least.generation
      expect(moved === 0 || moved === 1).toBe(true)
      expect(after.value - least.value).toBe(moved)
      if (acknowledged !== null) acknowledgements += 1
      return after
    })
    expect(acknowledgements).toBeGreaterThan(0)
  })
})
