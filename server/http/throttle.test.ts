import { describe, expect, it } from 'vitest'
import { createThrottle } from './throttle.ts'

describe('createThrottle', () => {
  const at = { now: 0 }
  const throttle = createThrottle(() => at.now, 3, 1000, 2)

  it('allows attempts up to the limit, and again after the window', () => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      throttle.check('a')
      throttle.recordFailure('a')
    }
    expect(() => throttle.check('a')).toThrow(/again in 1 seconds/)
    expect(() => throttle.check('b')).not.toThrow()
    at.now = 1000
    expect(() => throttle.check('a')).not.toThrow()
  })

  it('forgets failures once an attempt succeeds', () => {
    for (let attempt = 0; attempt < 3; attempt += 1) throttle.recordFailure('a')
    throttle.reset('a')
    expect(() => throttle.check('a')).not.toThrow()
  })

  it('keeps no more addresses than its limit', () => {
    for (const address of ['c', 'c', 'c', 'd', 'e']) throttle.recordFailure(address)
    expect(() => throttle.check('c')).not.toThrow()
  })
})
