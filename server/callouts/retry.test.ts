import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { retry } from '#kernel/components/named-credential/body.ts'
import type { CalloutFaultKind, CalloutMethod } from '../ports/callout-transport.ts'
import { isRepeatable, judgeAttempt, nextAttemptDelayMs, type AttemptVerdict } from './retry.ts'
import { backoffMs, maxRetryWaitMs } from '../kernel/components/named-credential/retry-schedule.ts'

const defaults = retry.parse({})
const response = (status: number, retryAfterMs: number | null = null) =>
  judgeAttempt({ kind: 'response', status, isAccepted: status < 300, retryAfterMs })
const fault = (kind: CalloutFaultKind, isSent = true, status: number | null = null) =>
  judgeAttempt({ kind: 'fault', fault: kind, isSent, status })

describe('how an attempt ended', () => {
  const cases: [name: string, verdict: AttemptVerdict, ...expected: unknown[]][] = [
    ['200', response(200), 'delivered', null, 'success'],
    ['204', response(204), 'delivered', null, 'success'],
    ['302', response(302), 'failed', null, 'success'],
    ['400', response(400), 'failed', null, 'success'],
    ['401', response(401), 'failed', null, 'success'],
    ['408', response(408), 'failed', null, 'success'],
    ['429', response(429), 'failed', 'http_429', 'success'],
    ['500', response(500), 'failed', 'http_5xx', 'failure'],
    ['503', response(503), 'failed', 'http_5xx', 'failure'],
    ['502 of a gateway', response(502), 'unknown', 'http_5xx', 'failure'],
    ['504 of a gateway', response(504), 'unknown', 'http_5xx', 'failure'],
    ['no response in time', fault('timeout'), 'unknown', 'timeout', 'failure'],
    ['no connection in time', fault('timeout', false), 'failed', 'timeout', 'failure'],
    ['no connection', fault('unreachable', false), 'failed', 'connection', 'failure'],
    ['a lost connection', fault('lost'), 'unknown', 'connection', 'failure'],
    ['a lost connection after 200', fault('lost', true, 200), 'unknown', 'connection', 'failure'],
    ['a lost connection after 400', fault('lost', true, 400), 'failed', 'connection', 'failure'],
    ['a lost connection after 504', fault('lost', true, 504), 'unknown', 'connection', 'failure'],
    ['a certificate', fault('tls', false), 'failed', null, 'failure'],
    ['an address', fault('address', false), 'failed', null, 'none'],
    ['a large response', fault('too_large', true, 200), 'unknown', null, 'none'],
    ['a large refusal', fault('too_large', true, 404), 'failed', null, 'none'],
    ['damaged compression', fault('unreadable', true, 200), 'unknown', null, 'none'],
    ['cancelled before sending', fault('cancelled', false), 'failed', null, 'none'],
    ['cancelled after sending', fault('cancelled'), 'unknown', null, 'none'],
    ['what cannot be sent', fault('invalid', false), 'failed', null, 'none'],
  ]
  it.each(cases)('%s', (_, { outcome, trigger, health }, ...expected) => {
    expect([outcome, trigger, health]).toEqual(expected)
  })

  it('accepts what its caller accepts', () => {
    const accepted = judgeAttempt({ kind: 'response', status: 404, isAccepted: true, retryAfterMs: null })
    expect(accepted.outcome).toBe('delivered')
  })
})

describe('which calls can be sent twice', () => {
  const methods: [CalloutMethod, boolean][] = [
    ['GET', true],
    ['HEAD', true],
    ['PUT', true],
    ['DELETE', true],
    ['POST', false],
    ['PATCH', false],
  ]
  it.each(methods)('%s without a key: %s; with one always', (method, expected) => {
    expect(isRepeatable(method, false)).toBe(expected)
    expect(isRepeatable(method, true)).toBe(true)
  })
})

describe('when the next attempt follows', () => {
  const delay = (
    attempts: number,
    verdict: AttemptVerdict,
    policy: Partial<typeof defaults> = {},
    repeatable = true,
    random = 0,
  ) =>
    nextAttemptDelayMs({
      policy: { ...defaults, ...policy },
      attempts,
      isRepeatable: repeatable,
      verdict,
      random,
    })
  const exact = { jitter: false } as const

  const cases: [name: string, actual: number | null, expected: number | null][] = [
    ['after the first', delay(1, response(503), exact), 200],
    ['twice as late after the second', delay(2, response(503), exact), 400],
    ['and again after the third', delay(3, response(503), exact), 800],
    ['never after the fourth of four', delay(4, response(503), exact), null],
    ['a fixed time', delay(3, response(503), { ...exact, backoff: 'fixed' }), 200],
    ['at the earliest half of it, with jitter', delay(1, response(503)), 100],
    ['at most an hour', delay(19, response(503), { ...exact, attempts: 20 }), maxRetryWaitMs],
    ['never after a success', delay(1, response(200), exact), null],
    ['never after a refusal', delay(1, response(404), exact), null],
    ['never after a redirect', delay(1, response(302), exact), null],
    ['never for a call that cannot be repeated', delay(1, response(503), exact, false), null],
    ['not even if nothing was sent', delay(1, fault('unreachable', false), exact, false), null],
    ['only after triggers of the policy', delay(1, response(503), { ...exact, retryOn: ['timeout'] }), null],
    ['after 429', delay(1, response(429), { ...exact, retryOn: ['http_429'] }), 200],
    ['after a timeout', delay(1, fault('timeout'), { ...exact, retryOn: ['timeout'] }), 200],
    ['after a lost connection', delay(1, fault('lost'), { ...exact, retryOn: ['connection'] }), 200],
    ['after the time that the target asks for', delay(1, response(429, 7000), exact), 7000],
    ['but not before its own time', delay(3, response(429, 100), exact), 800],
    ['up to an hour', delay(1, response(503, 86_400_000), exact), maxRetryWaitMs],
  ]
  it.each(cases)('%s', (_, actual, expected) => {
    expect(actual).toBe(expected)
  })

  it('stays within its step, and never goes below what the target asks for', () => {
    const policies = fc.record({
      attempts: fc.integer({ min: 2, max: 20 }),
      backoff: fc.constantFrom('exponential' as const, 'fixed' as const),
      baseMs: fc.integer({ min: 1, max: 3_600_000 }),
      jitter: fc.boolean(),
      retryOn: fc.constant(defaults.retryOn),
    })
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    const wait = fc.option(fc.integer({ min: 0, max: 10_000_000 }))
    fc.assert(
      fc.property(policies, fc.nat(18), random, wait, (policy, n, chance, retryAfterMs) => {
        const attempts = 1 + (n % (policy.attempts - 1))
        const ms = nextAttemptDelayMs({
          policy,
          attempts,
          isRepeatable: true,
          verdict: response(503, retryAfterMs),
          random: chance,
        })!
        const step = backoffMs({ ...policy, jitter: false }, attempts, 0)
        const asked = Math.min(retryAfterMs ?? 0, maxRetryWaitMs)
        expect(ms).toBeGreaterThanOrEqual(Math.max(asked, Math.floor(step / 2)))
        expect(ms).toBeLessThanOrEqual(Math.max(asked, step))
      }),
    )
  })
})
