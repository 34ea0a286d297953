import type { IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCallerCache, type Caller, type CallerCache } from './caller-cache.ts'

let position: number
let now: number
let lookups: number
let cache: CallerCache

beforeEach(() => {
  position = 1
  now = 1000
  lookups = 0
  cache = createCallerCache({ timeAt: () => now })
})

/** The user whom the cache returns for these headers. */
function userOf(headers: Record<string, string>, generation = 1): string {
  const caller = cache.callerOf({ headers } as unknown as IncomingMessage, { generation, position }, () => {
    lookups += 1
    return { caller: { identity: { user: `user ${lookups}` } } as Caller, validUntil: 2000 }
  })
  return caller.identity.user
}

describe('a caller', () => {
  const headers = { authorization: 'Bearer x', cookie: 'a=b' }

  it('is looked up once while nothing changes', () => {
    expect([userOf(headers), userOf({ ...headers, 'user-agent': 'other' })]).toEqual(['user 1', 'user 1'])
  })

  const changes: [string, () => unknown][] = [
    ['after a write', () => (position += 1)],
    ['when its sign-in ends', () => (now = 2000)],
  ]
  it.each(changes)('is looked up again %s', (_, change) => {
    userOf(headers)
    change()
    expect(userOf(headers)).toBe('user 2')
  })

  it('is looked up again over another generation', () => {
    userOf(headers)
    expect(userOf(headers, 2)).toBe('user 2')
  })

  it('does not take an empty header for an absent one', () => {
    const before = lookups
    userOf({ cookie: 'a=1' })
    userOf({ cookie: 'a=1', authorization: '' })
    expect(lookups).toBe(before + 2)
  })

  it.each(['authorization', 'x-api-key', 'cookie', 'x-view-as', 'x-app', 'accept-language'])(
    'depends on %s',
    (name) => {
      userOf(headers)
      expect(userOf({ ...headers, [name]: 'different' })).toBe('user 2')
    },
  )

  it('is not remembered if it was refused', () => {
    const refuse = (): never => {
      throw new Error('refused')
    }
    const request = { headers } as unknown as IncomingMessage
    expect(() => cache.callerOf(request, { generation: 1, position }, refuse)).toThrow('refused')
    expect(userOf(headers)).toBe('user 1')
  })
})
