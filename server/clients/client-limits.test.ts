import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClientLimits, orgCeiling, type Admitted, type Ceiling } from './client-limits.ts'

const limit = { sustained: 10, burst: 20, concurrency: 5 }
const codeOf = (admitted: Admitted): string => ('error' in admitted ? admitted.error.code : 'admitted')
const release = (admitted: Admitted): void => ('error' in admitted ? undefined : admitted.release())

describe('the limits of clients', () => {
  it('admit a burst, then the sustained rate, and return the wait', () => {
    let now = 0
    const limits = createClientLimits(() => now)
    const send = (): string => {
      const admitted = limits.admit('shop', limit)
      release(admitted)
      return codeOf(admitted)
    }
    const burst = Array.from({ length: 21 }, send)
    expect(burst).toEqual([...Array<string>(20).fill('admitted'), 'limit.rate'])
    const refused = limits.admit('shop', limit)
    expect('error' in refused && refused.error.retryAfter).toBe(1)
    expect(refused.headers).toEqual({
      'RateLimit-Policy': '"client";q=20;w=2',
      RateLimit: '"client";r=0;t=2',
    })
    now += 1000
    expect(Array.from({ length: 11 }, send)).toEqual([...Array<string>(10).fill('admitted'), 'limit.rate'])
    // A different client has its own bucket.
    expect(codeOf(limits.admit('other', limit))).toBe('admitted')
  })

  it('count requests and refusals, and show what is left without taking any', () => {
    let now = 5
    const limits = createClientLimits(() => now)
    const declared = { sustained: 10, burst: 3, concurrency: '10%' }
    const none = { left: 3, running: 0, requests: 0, refused: 0, idleMs: null }
    expect(limits.load('shop', declared)).toEqual({
      limits: { sustained: 10, burst: 3, concurrency: 5 },
      ...none,
    })
    const running = limits.admit('shop', declared)
    for (let at = 0; at < 3; at += 1) release(limits.admit('shop', declared))
    expect(limits.load('shop', declared)).toMatchObject({
      left: 0,
      running: 1,
      requests: 4,
      refused: 1,
      idleMs: 0,
    })
    release(running)
    now += 200
    expect(limits.load('shop', declared)).toMatchObject({ left: 2, running: 0, requests: 4, idleMs: 200 })
    expect(limits.load('other', declared)).toMatchObject(none)
    expect(limits.countedMs()).toBe(200)
  })

  it('admit as many requests at once as are declared', () => {
    const limits = createClientLimits(() => 0)
    const running = Array.from({ length: 5 }, () => limits.admit('shop', limit))
    expect(running.map(codeOf)).toEqual(Array(5).fill('admitted'))
    expect(codeOf(limits.admit('shop', limit))).toBe('limit.concurrency')
    release(running[0]!)
    // A second release of the same request frees nothing.
    release(running[0]!)
    expect(codeOf(limits.admit('shop', limit))).toBe('admitted')
    expect(codeOf(limits.admit('shop', limit))).toBe('limit.concurrency')
  })

  it('hold for all clients together, and shares are parts of that', () => {
    const limits = createClientLimits(() => 0, { sustained: 10, burst: 10, concurrency: 4 })
    const share = { sustained: '50%', burst: '50%', concurrency: '50%' }
    const first = [1, 2, 3].map(() => codeOf(limits.admit('a', share)))
    expect(first).toEqual(['admitted', 'admitted', 'limit.concurrency'])
    expect([1, 2, 3].map(() => codeOf(limits.admit('b', { ...share, concurrency: 10 })))).toEqual([
      'admitted',
      'admitted',
      'limit.concurrency',
    ])
  })

  it.each<[string, Partial<Ceiling>, Ceiling]>([
    ['the usual ceiling', {}, { sustained: 50, burst: 250, concurrency: 1 }],
    [
      'a higher one',
      { sustained: 1000, burst: 4000, concurrency: 200 },
      { sustained: 100, burst: 1000, concurrency: 2 },
    ],
    [
      'a very low one',
      { sustained: 5, burst: 2, concurrency: 1 },
      { sustained: 1, burst: 1, concurrency: 1 },
    ],
  ])('shares follow %s, and are at least 1', (_name, change, expected) => {
    const limits = createClientLimits(() => 0, { ...orgCeiling, ...change })
    const declared = { sustained: '10%', burst: '25%', concurrency: '1%' }
    expect(limits.load('shop', declared).limits).toEqual(expected)
    const { headers } = limits.admit('shop', declared)
    const window = Math.max(1, Math.ceil(expected.burst / expected.sustained))
    expect(headers['RateLimit-Policy']).toBe(`"client";q=${expected.burst};w=${window}`)
  })

  it('are never above the ceiling, so that what is shown can be used', () => {
    const declared = { sustained: 1_000_000, burst: 1_000_000, concurrency: 1_000_000 }
    expect(createClientLimits(() => 0).load('shop', declared).limits).toEqual(orgCeiling)
  })

  it('follow a change of what is declared at the next request', () => {
    const limits = createClientLimits(() => 0)
    limits.admit('shop', { sustained: 10, burst: 100, concurrency: 50 })
    const admitted = limits.admit('shop', { sustained: 10, burst: 2, concurrency: 50 })
    expect(admitted.headers).toMatchObject({ RateLimit: '"client";r=1;t=1' })
  })

  it('name the limit of the org where all clients together have used it', () => {
    const limits = createClientLimits(() => 0, { sustained: 10, burst: 2, concurrency: 9 })
    for (const client of ['a', 'b']) release(limits.admit(client, limit))
    const refused = limits.admit('c', limit)
    expect(codeOf(refused)).toBe('limit.rate')
    expect(refused.headers).toEqual({
      'RateLimit-Policy': '"client";q=2;w=1, "org";q=2;w=1',
      RateLimit: '"client";r=2;t=0, "org";r=0;t=1',
    })
  })

  it('never admit more than the burst and what was gained since', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }), (waits) => {
        let now = 0
        const limits = createClientLimits(() => now)
        let admitted = 0
        for (const wait of waits) {
          now += wait
          const each = limits.admit('shop', limit)
          if (!('error' in each)) admitted += 1
          release(each)
          expect(admitted).toBeLessThanOrEqual(limit.burst + (now / 1000) * limit.sustained)
        }
      }),
    )
  })
})
