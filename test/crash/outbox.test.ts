// SIGKILL while calls are sent and saves go on: nothing is lost, nothing that cannot be repeated is sent twice, no attempt
// is missing, no limit is exceeded, and the calls of a record and credential keep their order.
import { afterEach, describe, expect, it } from 'vitest'
import { faultsOf, readCalls } from './outbox/check.ts'
import { killAgain, newGround, stopAgain, type Ground } from './outbox/run.ts'

const kills = Number(process.env['ALMANAC_KILLS'] ?? 5)
const stops = Math.ceil(kills / 5)

let ground: Ground
afterEach(() => ground.close())

describe('the worker of the outbox', () => {
  it(`is killed ${kills} times and keeps every promise`, async () => {
    ground = await newGround()
    const { saved, errors } = await killAgain(ground, { kills })
    expect(errors).toEqual([])
    expect(faultsOf(await readCalls(ground.dir), ground.target)).toEqual([])
    const calls = await ground.finish()
    expect(calls.open).toBe(0)
    expect(faultsOf(calls, ground.target)).toEqual([])
    const left = new Set(calls.left.flat())
    expect(saved.filter((save) => !left.has(`put ${save}`))).toEqual([])
    expect(saved.length).toBeGreaterThan(kills)
  })
  it(`is stopped past its lease ${stops} times, and leaves alone what another one has taken over`, async () => {
    ground = await newGround()
    expect(await stopAgain(ground, { kills: stops })).toEqual([])
    const calls = await ground.finish()
    expect(calls.open).toBe(0)
    const faults = faultsOf(calls, ground.target)
    const late = faults.filter((fault) => fault.includes(' arrived after '))
    expect(faults.filter((fault) => !late.includes(fault))).toEqual([])
    // A request can be on its way while its process is stopped, and a repeatable one then arrives late. It is rare.
    expect(late.length).toBeLessThanOrEqual(Math.ceil(stops / 3))
  })
})
