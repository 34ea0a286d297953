// Kills the process that saves and sends, again and again, and then lets it finish.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCalls, type StoredCalls } from './check.ts'
import { MovedClock } from './moved-clock.ts'
import { makeOrg, timeoutMs } from './org.ts'
import type { PlantedFault } from './planted-faults.ts'
import { SendingProcess, type ProcessOptions } from './process.ts'
import { startTarget, type Target } from './target.ts'
import { points, type Point } from './watched-writes.ts'

/** How long nothing runs after a kill: mostly until the leases of the killed process have ended. */
const pausesMs = [0, 31_000, 65_000, 65_000, 65_000]

const oneOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

export interface Ground {
  dir: string
  clock: MovedClock
  target: Target
  start(options?: ProcessOptions): SendingProcess
  /** Until no call is open any more. */
  finish(planted?: PlantedFault): Promise<StoredCalls>
  close(): void
}

export async function newGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-outbox-kills-'))
  const dir = join(folder, 'org')
  const clock = new MovedClock(folder)
  clock.set(0)
  const target = await startTarget(() => clock.now())
  await makeOrg(dir, target.url)
  const start = (options: ProcessOptions = {}): SendingProcess => new SendingProcess(dir, folder, options)
  return {
    ...{ dir, clock, target, start },
    finish: async (planted) => {
      target.recover()
      let [fewest, roundsSince] = [Infinity, 0]
      for (;;) {
        clock.set(clock.movedBy() + 65_000)
        const sending = start({ planted })
        await sending.reaches('open')
        await wait(1000)
        await sending.end()
        const calls = await readCalls(dir)
        roundsSince = calls.open < fewest ? 0 : roundsSince + 1
        fewest = Math.min(fewest, calls.open)
        // A minute of the budget is sent in each round, so many calls need many rounds.
        if (calls.open === 0 || roundsSince === 20) return calls
      }
    },
    close: () => {
      target.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const stopAt = (how: 'halt' | 'pause', at: Point = oneOf(points)): ProcessOptions['stop'] => ({
  ...{ at, passes: Math.floor(Math.random() * 15), how },
})

export interface KillOptions {
  kills: number
  planted?: PlantedFault
  /** If omitted, any point, and any moment. */
  at?: Point
}

/** @returns the acknowledged saves, and errors that the processes reported */
export async function killAgain(
  { start, clock }: Ground,
  { kills, planted, at }: KillOptions,
): Promise<{ saved: string[]; errors: string[] }> {
  const saved: string[] = []
  const errors: string[] = []
  for (let round = 0; round < kills; round += 1) {
    // Every other kill is at a point, the others at any moment.
    const stop = at !== undefined || round % 2 === 0 ? stopAt('halt', at) : undefined
    const sending = start({ saves: 6, stop, planted })
    await sending.reaches('open')
    if (stop !== undefined) {
      await Promise.race([sending.reaches(`at ${stop.at}`), wait(1500)])
      // What others have begun goes on for a moment after the point.
      await wait(Math.random() * 50)
    } else await wait(100 + Math.random() * 1400)
    await sending.kill()
    saved.push(...sending.saved)
    errors.push(...sending.errors)
    clock.set(clock.movedBy() + oneOf(pausesMs))
  }
  return { saved, errors }
}

/** Two processes send; one is stopped until its leases have ended, and goes on while the other has taken over. */
export async function stopAgain(
  { start, clock, target }: Ground,
  { kills: stops, planted, at }: KillOptions,
): Promise<string[]> {
  const errors: string[] = []
  for (let round = 0; round < stops; round += 1) {
    const stop = at !== undefined || round % 2 === 0 ? stopAt('pause', at) : undefined
    const first = start({ saves: 15, stop, planted })
    await first.reaches('open')
    if (stop !== undefined) await Promise.race([first.reaches(`at ${stop.at}`), wait(1500)])
    else await wait(400 + Math.random() * 600)
    first.pause()
    // Until the target has ended what it received.
    await wait(3 * timeoutMs)
    clock.set(clock.movedBy() + 50_000)
    const before = target.received.length
    const second = start({ saves: 5, planted })
    await second.reaches('open')
    // Mostly while the other one is making the calls that it took over.
    for (let waited = 0; target.received.length === before && waited < 1500; waited += 10) await wait(10)
    await wait(Math.random() * (round % 2 === 0 ? 50 : 500))
    first.resume()
    await wait(500 + Math.random() * 500)
    await first.kill()
    await second.kill()
    errors.push(...first.errors, ...second.errors)
    clock.set(clock.movedBy() + 65_000)
  }
  return errors
}

/**
 * A call of one process fails, but the process does not get to write that. Another one takes the call over and succeeds,
 * and does not get to write that either. Then both write what they know: the first one, and after it the second one.
 */
export async function takeOver({ start, clock, target }: Ground, planted?: PlantedFault): Promise<void> {
  const at = 'ended read'
  const stop = { at, passes: 0, how: 'hold' } as const
  target.fail()
  const first = start({ saves: 1, stop, planted })
  await first.reaches(`at ${at}`)
  target.recover()
  clock.set(clock.movedBy() + 50_000)
  const second = start({ stop, planted })
  await second.reaches(`at ${at}`)
  for (const each of [first, second]) {
    const written = each.reaches('at finished read')
    each.release()
    await written
  }
  await Promise.all([first.kill(), second.kill()])
}
