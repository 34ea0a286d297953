import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { ManualTimer, settle } from '../../test/support/manual-timer.ts'
import { memoryCalloutLimits } from '../../test/support/memory-callout-limits.ts'
import { BudgetShare, type BudgetPermit, type BudgetRefusal } from './budget-share.ts'

const cell = { kind: 'budget', credential: 'billing' } as const

function sharing(timer = new ManualTimer(), startAt = 1_700_000_000_000) {
  const limits = memoryCalloutLimits(() => startAt + timer.elapsedMs())
  const share = (holder: string) => new BudgetShare({ limits, timer, holder }, 'billing')
  return { timer, limits, share }
}

function isPermit(taken: BudgetPermit | BudgetRefusal): taken is BudgetPermit {
  return 'release' in taken
}

async function permit(share: BudgetShare, budget: Budget, timeoutMs = 5000): Promise<BudgetPermit> {
  const taken = await share.take(budget, timeoutMs)
  if (!isPermit(taken)) throw new Error(`refused: ${taken.lacks}`)
  return taken
}

type Budget = Parameters<BudgetShare['take']>[0]

describe('the share of a budget', () => {
  it('lets calls take from memory', async () => {
    const { limits, share } = sharing()
    const one = share('one')
    const budget = { concurrency: 20, requestsPerMinute: 1_000_000 }
    for (let n = 0; n < 5000; n += 1) (await permit(one, budget)).release()
    expect(limits.uses.swaps).toBeLessThanOrEqual(2)
  })

  it('reports what it has sent that the ledger does not count yet', async () => {
    const { timer, limits, share } = sharing()
    const one = share('one')
    const budget = { concurrency: 20, requestsPerMinute: 600 }
    const counted = async (): Promise<number> => {
      const { text } = await limits.read(cell)
      const sends = text === null ? [] : (JSON.parse(text) as { sends: [number, number][] }).sends
      return sends.reduce((sum, [, count]) => sum + count, one.unreported)
    }
    for (let n = 1; n <= 50; n += 1) {
      ;(await permit(one, budget)).release()
      await settle()
      expect(await counted()).toBe(n)
    }
    await timer.advance(6000)
    expect(one.unreported).toBe(0)
    expect(await counted()).toBe(50)
  })

  it('grows with the calls in flight, in few steps', async () => {
    const { limits, share } = sharing()
    const one = share('one')
    const budget = { concurrency: 1000, requestsPerMinute: 100_000 }
    for (let n = 0; n < 1000; n += 1) await permit(one, budget)
    expect(limits.uses.swaps).toBeLessThanOrEqual(12)
    expect(await one.take(budget, 5000)).toEqual({ lacks: 'concurrency', retryAfterMs: 250 })
  })

  it('refuses above its concurrency, and asks the store only now and then', async () => {
    const { timer, limits, share } = sharing()
    const [one, two] = [share('one'), share('two')]
    const budget = { concurrency: 3, requestsPerMinute: 1000 }
    const held = [await permit(one, budget), await permit(one, budget), await permit(two, budget)]
    expect(await two.take(budget, 5000)).toMatchObject({ lacks: 'concurrency' })
    const { swaps } = limits.uses
    for (let n = 0; n < 100; n += 1)
      expect(await two.take(budget, 5000)).toMatchObject({ lacks: 'concurrency' })
    expect(limits.uses.swaps).toBe(swaps)
    held[0]!.release()
    await permit(one, budget)
    held[1]!.release()
    await timer.advance(300)
    // The slot is still part of the share of `one`; an idle share is returned.
    expect(isPermit(await one.take(budget, 5000))).toBe(true)
  })

  it('is spent after its requests, and free 60 seconds after the first of them', async () => {
    const { timer, share } = sharing()
    const one = share('one')
    const budget = { concurrency: 5, requestsPerMinute: 6 }
    for (let n = 0; n < 6; n += 1) (await permit(one, budget)).release()
    const refusal = await one.take(budget, 5000)
    expect(refusal).toMatchObject({ lacks: 'requests' })
    expect((refusal as BudgetRefusal).retryAfterMs).toBeLessThanOrEqual(60_060)
    await timer.advance(59_000)
    expect(await one.take(budget, 5000)).toMatchObject({ lacks: 'requests' })
    await timer.advance(1500)
    await permit(one, budget)
  })

  it.each([
    { concurrency: 1, requestsPerMinute: 3 },
    { concurrency: 1, requestsPerMinute: 40 },
    { concurrency: 2, requestsPerMinute: 2 },
  ])('gives all its requests to calls in a row: %o', async (budget) => {
    const { share } = sharing()
    const one = share('one')
    for (let n = 0; n < budget.requestsPerMinute; n += 1) {
      const taken = await permit(one, budget)
      // Its renewal arrives while the call is in flight.
      await settle()
      taken.release()
    }
    expect(await one.take(budget, 5000)).toMatchObject({ lacks: 'requests' })
  })

  it('comes back when nobody uses it', async () => {
    const { timer, limits, share } = sharing()
    const [one, two] = [share('one'), share('two')]
    const budget = { concurrency: 2, requestsPerMinute: 1000 }
    const held = [await permit(one, budget), await permit(one, budget)]
    expect(isPermit(await two.take(budget, 5000))).toBe(false)
    for (const each of held) each.release()
    await timer.advance(6000)
    expect(JSON.parse(limits.text(cell)!)).toMatchObject({ slices: [] })
    await permit(two, budget)
  })

  it('comes back when the lease of a crashed holder ends', async () => {
    const { timer, share } = sharing()
    const budget = { concurrency: 1, requestsPerMinute: 1000 }
    await permit(share('crashed'), budget)
    const two = share('two')
    await timer.advance(34_000)
    expect(isPermit(await two.take(budget, 5000))).toBe(false)
    await timer.advance(1500)
    await permit(two, budget)
  })

  it('does not start a call that could outlast its lease', async () => {
    const { timer, limits, share } = sharing()
    const one = share('one')
    const budget = { concurrency: 5, requestsPerMinute: 100 }
    await permit(one, budget, 5000)
    const { swaps } = limits.uses
    await timer.advance(29_000)
    await permit(one, budget, 300_000)
    expect(limits.uses.swaps).toBeGreaterThan(swaps)
  })

  it('keeps the lease of a long call when a short one renews it', async () => {
    const { timer, share } = sharing()
    const [one, two] = [share('one'), share('two')]
    const budget = { concurrency: 1, requestsPerMinute: 1000 }
    await permit(one, budget, 300_000)
    expect(isPermit(await one.take(budget, 1000))).toBe(false)
    await timer.advance(299_000)
    expect(isPermit(await two.take(budget, 1000))).toBe(false)
  })

  it('uses no more than it will have while its renewal is on the way', async () => {
    const timer = new ManualTimer()
    let isSlow = false
    const limits = memoryCalloutLimits(timer.elapsedMs.bind(timer), async () => {
      if (isSlow) await timer.wait(500, { isBackground: true })
      isSlow = false
    })
    const budget = { concurrency: 8, requestsPerMinute: 1000 }
    const [one, two] = ['one', 'two'].map((holder) => new BudgetShare({ limits, timer, holder }, 'billing'))
    const held = await Promise.all([1, 2, 3, 4].map(() => permit(one!, budget)))
    for (const each of held.slice(1)) each.release()
    await timer.advance(16_000)
    isSlow = true
    const more = [1, 2, 3, 4, 5, 6].map(async () => await one!.take(budget, 5000))
    await timer.advance(600)
    const others = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async () => await two!.take(budget, 5000)))
    const taken = [...(await Promise.all(more)), ...others]
    expect(1 + taken.filter(isPermit).length).toBeLessThanOrEqual(budget.concurrency)
  })

  it('follows a budget that a deploy lowers', async () => {
    const { share } = sharing()
    const one = share('one')
    const held = [1, 2, 3].map(() => permit(one, { concurrency: 10, requestsPerMinute: 100 }))
    await Promise.all(held)
    expect(isPermit(await one.take({ concurrency: 2, requestsPerMinute: 100 }, 5000))).toBe(false)
  })

  it('fails a call if it needs the store and the store fails', async () => {
    const timer = new ManualTimer()
    let isDown = true
    const limits = memoryCalloutLimits(timer.elapsedMs.bind(timer), () => {
      if (isDown) throw new Error('the store is down')
    })
    const one = new BudgetShare({ limits, timer, holder: 'one' }, 'billing')
    const budget = { concurrency: 2, requestsPerMinute: 100 }
    await expect(one.take(budget, 5000)).rejects.toThrow('the store is down')
    isDown = false
    await permit(one, budget)
  })
})

/** What a process does next. Times are in milliseconds. */
const step = fc.record({
  who: fc.nat(2),
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant('take' as const) },
    { weight: 6, arbitrary: fc.constant('release' as const) },
    { weight: 2, arbitrary: fc.constant('crash' as const) },
    { weight: 6, arbitrary: fc.constant('idle' as const) },
    { weight: 1, arbitrary: fc.constant('close' as const) },
  ),
  count: fc.integer({ min: 1, max: 5 }),
  ms: fc.oneof(fc.nat(500), fc.integer({ min: 4000, max: 6000 }), fc.integer({ min: 15_000, max: 40_000 })),
  /** What happens to the next uses of the store: it fails, its answer is lost, or it takes long. */
  faults: fc.array(fc.constantFrom('none', 'none', 'none', 'fails', 'lost', 'slow', 'slow'), {
    maxLength: 5,
  }),
  isSettled: fc.boolean(),
  timeoutMs: fc.constantFrom(1000, 5000, 20_000),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe('the shares of several processes', () => {
  it('never exceed the budget, even if the store fails and processes crash', async () => {
    const budgets = fc.record({
      concurrency: fc.integer({ min: 1, max: 8 }),
      requestsPerMinute: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 20, max: 60 })),
    })
    await fc.assert(
      fc.asyncProperty(budgets, fc.array(step, { minLength: 20, maxLength: 60 }), async (budget, steps) => {
        const { takes, mostInFlight } = await simulate(budget, steps)
        expect(mostInFlight).toBeLessThanOrEqual(budget.concurrency)
        for (const at of takes)
          expect(takes.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(
            budget.requestsPerMinute,
          )
      }),
      { numRuns: 400 },
    )
  }, 120_000)
})

interface Call {
  end: number
  permit: BudgetPermit
}

interface Process {
  share: BudgetShare
  calls: Call[]
  isAlive: boolean
}

/** Runs processes over one store, in virtual time. A call that is not released ends at its timeout. */
async function simulate(budget: Budget, steps: readonly Step[]) {
  const timer = new ManualTimer()
  let faults: string[] = []
  const limits = memoryCalloutLimits(
    () => 1_700_000_000_000 + Math.floor(timer.elapsedMs()),
    async () => {
      const fault = faults.shift()
      if (fault === 'fails') throw new Error('the store failed')
      if (fault === 'slow') await timer.wait(700, { isBackground: true })
      return () => {
        if (fault === 'lost') throw new Error('the answer was lost')
      }
    },
  )
  const takes: number[] = []
  let mostInFlight = 0
  let names = 0
  const start = (): Process => {
    const born: Process = { calls: [], isAlive: true, share: undefined as unknown as BudgetShare }
    /** A process that crashed goes on with nothing: its promises stay as they are. */
    const whileAlive = async <T>(work: Promise<T>): Promise<T> => {
      const result = await work.catch((error: unknown) =>
        born.isAlive ? Promise.reject(error as Error) : never<T>(),
      )
      return born.isAlive ? result : never<T>()
    }
    born.share = new BudgetShare(
      {
        holder: `holder ${names++}`,
        timer: {
          elapsedMs: () => timer.elapsedMs(),
          wait: (ms, options) => whileAlive(timer.wait(ms, options)),
        },
        limits: {
          read: (cell) => whileAlive(limits.read(cell)),
          swap: (cell, version, text) => whileAlive(limits.swap(cell, version, text)),
        },
      },
      'billing',
    )
    return born
  }
  const processes = [start(), start(), start()]
  const endCalls = (): void => {
    for (const { calls } of processes)
      for (const call of calls.filter(({ end }) => end <= timer.elapsedMs())) {
        calls.splice(calls.indexOf(call), 1)
        call.permit.release()
      }
  }
  const take = (process: Process, timeoutMs: number): void => {
    void Promise.resolve(process.share.take(budget, timeoutMs)).then(
      (taken) => {
        if (!process.isAlive || !isPermit(taken)) return
        endCalls()
        takes.push(timer.elapsedMs())
        process.calls.push({ end: timer.elapsedMs() + timeoutMs, permit: taken })
        mostInFlight = Math.max(
          mostInFlight,
          processes.reduce((sum, { calls }) => sum + calls.length, 0),
        )
      },
      () => {},
    )
  }
  for (const { who, what, count, ms, faults: next, isSettled, timeoutMs } of steps) {
    faults = [...next]
    const process = processes[who]!
    if (what === 'take') for (let n = 0; n < count; n += 1) take(process, timeoutMs)
    else if (what === 'release') for (const { permit: held } of process.calls.splice(0, count)) held.release()
    else if (what === 'close') void process.share.close()
    else if (what === 'idle') await timer.advance(ms)
    else {
      process.isAlive = false
      processes[who] = start()
    }
    if (isSettled) await settle()
    endCalls()
  }
  faults = []
  await timer.advance(1000)
  return { takes, mostInFlight }
}

function never<T>(): Promise<T> {
  return new Promise<T>(() => {})
}
