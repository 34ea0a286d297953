import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClientLimits, type Admitted } from './client-limits.ts'

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
