// The measurement finds faults that are planted. In a separate file, because it needs no large org and can run while
// that is created.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../server/http/route.ts'
import { BodySizes } from './body-sizes.ts'
import { attempts, breaches } from './bounds.ts'
import { leastCost } from './least-cost.ts'
import { measuredServer, type MeasuredServer } from './measured-server.ts'
import { faultsOfBodies } from './planted-faults.ts'
import { worstBodiesOf } from './worst-bodies.ts'

describe('the suite itself', () => {
  let faulty: MeasuredServer
  beforeAll(async () => {
    faulty = await measuredServer({ planted: true })
  })
  afterAll(() => faulty.close())

  const body = Buffer.from('{"text":"x"}')

  it.each([
    ['blocks', /held the readers for \d+ ms of work/, attempts],
    // It sleeps equally long each time.
    ['sleeps', /held the readers asleep/, 1],
    // The second time, it can reuse the memory of the first.
    ['allocates', /grew the process by \d+ MB/, 1],
  ])('finds a route that %s', async (fault, found, most) => {
    const cost = await leastCost(faulty, () => ({ method: 'POST', path: `/planted/${fault}`, body }), most)
    expect(breaches(cost)).toContainEqual(expect.stringMatching(found))
  })

  const titled = faultsOfBodies.map((route): [string, Route] => [`${route.method.toUpperCase()} ${route.path}`, route])

  it.each(titled)('finds the worst body of %s', async (_, route) => {
    const breachList: string[] = []
    for (const { body, headers } of worstBodiesOf(route, new BodySizes(true))) {
      const sent = { method: 'POST', path: route.path, body, headers }
      breachList.push(...breaches(await leastCost(faulty, () => sent)))
    }
    expect(breachList).toContainEqual(expect.stringMatching(/held the readers for \d+ ms of work/))
  })

  it('leaves no process behind once it is killed', async () => {
    const parent = fork(join(import.meta.dirname, 'killed-process.ts'))
    const [pid] = (await once(parent, 'message')) as [number]
    parent.kill('SIGKILL')
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
