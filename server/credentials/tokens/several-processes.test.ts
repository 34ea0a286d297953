// Several processes over one store: kills at every step, and every order of their steps.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { fixture, MemoryTokenStore, userRequest, type Fixture, type RefreshPolicy } from './token-fixture.ts'
import type { TokenStore } from './token-store.ts'

const hour = 3_600_000

async function expired(policy: RefreshPolicy): Promise<Fixture> {
  const made = fixture()
  made.server.policy = policy
  await made.tokens.accept(userRequest(), made.server.consent(), ['read'])
  made.clock.ms += hour
  return made
}

/** A process that never comes back from its step `at`: reading, claiming, sending, reading, storing. */
function killed({ store, server, process }: Fixture, at: number, when: 'before' | 'after') {
  let steps = 0
  const never = new Promise<never>(() => {})
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (++steps > at) return never
    if (steps < at) return work()
    if (when === 'after') await work()
    return never
  }
  const slow: TokenStore = {
    get: (address) => step(() => store.get(address)),
    put: (address, tokens, expected) => step(() => store.put(address, tokens, expected)),
  }
  return process({ store: slow, send: (call) => step(() => server.send(call)) })
}

const steps = [1, 2, 3, 4, 5].flatMap((at) =>
  (['before', 'after'] as const).map((when) => [at, when] as const),
)

describe('a process that is killed', () => {
  it.each(steps)('at step %i, %s it: another goes on after the claim', async (at, when) => {
    const made = await expired('static')
    void killed(made, at, when).access(userRequest())
    await new Promise(setImmediate)
    made.clock.ms += 60_000
    expect(await made.process().access(userRequest())).toMatch(/^access-[2-9]$/)
    expect(made.store.row).toMatchObject({ claim: null, refreshToken: 'refresh-1' })
  })

  it.each(steps)('at step %i, %s it: a rotated token is stored or the user is asked', async (at, when) => {
    const made = await expired('rotating')
    void killed(made, at, when).access(userRequest())
    await new Promise(setImmediate)
    made.clock.ms += 60_000
    const result = await made
      .process()
      .access(userRequest())
      .catch(({ code }: AlmanacError) => code)
    // Only between the response and the end of the storing, nobody else can know the new refresh token.
    const isLost = (at === 3 && when === 'after') || at === 4 || (at === 5 && when === 'before')
    expect(result).toEqual(isLost ? 'integration.consent_required' : expect.stringMatching(/^access-/))
    expect(made.server.isValid(made.store.row?.refreshToken)).toBe(!isLost)
  })
})

describe('a store that fails', () => {
  it('is tried again, because the refresh token is already used', async () => {
    const made = await expired('rotating')
    let failures = 0
    const store: TokenStore = {
      get: (address) => made.store.get(address),
      put: (address, tokens, expected) =>
        tokens?.accessToken !== 'access-0' && tokens?.claim === null && failures++ < 2
          ? Promise.reject(new Error('disk'))
          : made.store.put(address, tokens, expected),
    }
    expect(await made.process({ store }).access(userRequest())).toMatch(/^access-/)
    expect(failures).toBe(3)
    expect(made.server.isValid(made.store.row?.refreshToken)).toBe(true)
  })

  it('for good lets no token out', async () => {
    const made = await expired('rotating')
    const store: TokenStore = {
      get: (address) => made.store.get(address),
      put: (address, tokens, expected) =>
        tokens?.claim === null
          ? Promise.reject(new Error('disk'))
          : made.store.put(address, tokens, expected),
    }
    await expect(made.process({ store }).access(userRequest())).rejects.toThrow('disk')
  })
})

describe('several processes', () => {
  it('make one request, in every order of their steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.constantFrom('static', 'rotating'), async (scheduler, policy) => {
        const made = await expired(policy as RefreshPolicy)
        const results = ['a', 'b', 'c'].map((name) => {
          const scheduled: TokenStore = {
            get: scheduler.scheduleFunction(function get(address) {
              return made.store.get(address)
            }),
            put: scheduler.scheduleFunction(function put(address, tokens, expected) {
              return made.store.put(address, tokens, expected)
            }),
          }
          const send = scheduler.scheduleFunction(made.server.send)
          const wait = (ms: number) => scheduler.schedule(made.clock.wait(ms / 100), `${name} waits`)
          return made.process({ store: scheduled, send, wait }).access(userRequest())
        })
        const tokens = await scheduler.waitFor(Promise.all(results))
        expect(new Set(tokens)).toEqual(new Set([made.store.row?.accessToken]))
        expect(made.server.calls).toHaveLength(1)
        expect(made.server.isValid(made.store.row?.refreshToken)).toBe(true)
      }),
    )
  })

  it('never lose a valid refresh token, however slow they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom(0, 0, 0, 61_000), { minLength: 3, maxLength: 3 }),
        async (scheduler, delays) => {
          const made = await expired('overlapping')
          const results = delays.map(async (delay) => {
            const send = scheduler.scheduleFunction(async (call: Parameters<typeof made.server.send>[0]) => {
              const response = await made.server.send(call)
              made.clock.ms += delay
              return response
            })
            const store: TokenStore = {
              get: scheduler.scheduleFunction((address) => made.store.get(address)),
              put: scheduler.scheduleFunction((address, tokens, expected) =>
                made.store.put(address, tokens, expected),
              ),
            }
            const wait = (ms: number) => scheduler.schedule(made.clock.wait(ms / 100))
            const token = made.process({ store, send, wait }).access(userRequest())
            return token.catch(({ code }: AlmanacError) => code)
          })
          const tokens = await scheduler.waitFor(Promise.all(results))
          // One that waits for a slow one gives up; nobody is asked for consent.
          for (const token of tokens) expect(token).toMatch(/^access-|^integration\.token_unavailable$/)
          expect(made.store.row?.refreshToken).not.toBe('refresh-1')
          expect(made.server.isValid(made.store.row?.refreshToken)).toBe(true)
          expect(made.store.row?.claim).toBeNull()
        },
      ),
    )
  })

  it('wait for the one that holds the claim, and not endlessly', async () => {
    const made = await expired('static')
    const endless = made.process({ send: () => new Promise<never>(() => {}) })
    void endless.access(userRequest())
    await new Promise(setImmediate)
    await expect(made.process().access(userRequest())).rejects.toMatchObject({
      code: 'integration.token_unavailable',
      retryAfter: 5,
    })
    made.clock.ms += 60_000
    expect(await made.process().access(userRequest())).toBe('access-2')
  })

  it('store a new refresh token after the claim, even if another has claimed since', async () => {
    const made = await expired('rotating')
    const slow = made.process({
      send: async (call) => {
        const response = await made.server.send(call)
        made.clock.ms += 61_000
        void killed(made, 2, 'after').access(userRequest())
        await new Promise(setImmediate)
        return response
      },
    })
    expect(await slow.access(userRequest())).toMatch(/^access-/)
    expect(made.server.isValid(made.store.row?.refreshToken)).toBe(true)
  })

  it('take the grant that came in while theirs was refused', async () => {
    const made = await expired('static')
    const slow = made.process({
      send: async (call) => {
        made.server.revoke()
        await made.tokens.accept(userRequest(), made.server.consent(), ['read'])
        return made.server.send(call)
      },
    })
    expect(await slow.access(userRequest())).toBe('access-0')
  })

  it('do not bring back a grant that was withdrawn in the meantime', async () => {
    const made = await expired('rotating')
    const slow = made.process({
      send: async (call) => {
        await made.tokens.forget({ credential: 'bank', principal: 'service', user: 'mara' })
        return made.server.send(call)
      },
    })
    await expect(slow.access(userRequest())).rejects.toMatchObject({ code: 'integration.consent_required' })
    expect(made.store.rows.size).toBe(0)
  })
})

describe('the store of these tests', () => {
  it('refuses a row that has changed', async () => {
    const store = new MemoryTokenStore()
    const address = { credential: 'a', principal: 'b', user: null }
    expect(await store.put(address, null, '1')).toBeNull()
  })
})
