import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { namedCredentialBody } from '#kernel/components/named-credential/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { answer, behaviours, faultyTarget, type FaultyTarget } from '../../test/support/faulty-target.ts'
import { ManualTimer } from '../../test/support/manual-timer.ts'
import { memoryCalloutLimits } from '../../test/support/memory-callout-limits.ts'
import { mintOutsideTransaction } from '../ports/outside-transaction.ts'
import { insideTransaction } from '../ports/transaction-scope.ts'
import type { Timer } from '../ports/timer.ts'
import { redactor, systemRandom, systemTimer, undiciCallouts } from '../system/index.ts'
import type { AttemptStart, Callout, CalloutFailure } from './callout.ts'
import { createCallouts } from './callouts.ts'
import type { CalloutsDeps } from './deps.ts'

const secret = 'secret-mark-42'
const ann = { actor: 'ann', correlationId: 'c-2', reason: 'maintenance' }
const outside = mintOutsideTransaction()

let target: FaultyTarget
/** What the target does with the next requests of /next, in this order. */
let next: (keyof typeof behaviours | number)[] = []

beforeAll(async () => {
  target = await faultyTarget({
    next: (socket, request) => {
      const what = next.shift() ?? 'ok'
      if (typeof what === 'number') answer(what, `status ${what}`)(socket, request)
      else (behaviours[what] as (typeof behaviours)['ok'])(socket, request)
    },
    wait: answer(429, '', { 'retry-after': '2' }),
    wait_long: answer(503, '', { 'retry-after': '120' }),
    redirect: answer(302, '', { location: `http://169.254.169.254/?token=${secret}` }),
  })
})
afterAll(() => target.close())

type Overrides = Partial<CalloutsDeps> & { refreshOn?: number[] }

/** Waits that a caller would wait are over at once, but are noted. */
class QuickTimer extends ManualTimer {
  override elapsedMs(): number {
    return systemTimer.elapsedMs() + this.skippedMs
  }
  skippedMs = 0
  override async wait(ms: number, options: Parameters<Timer['wait']>[1] = {}): Promise<void> {
    if (options.isBackground === true) return await systemTimer.wait(ms, options)
    options.signal?.throwIfAborted()
    this.waited.push(ms)
    this.skippedMs += ms
  }
}

function executor({ refreshOn, ...overrides }: Overrides = {}) {
  const timer = new QuickTimer()
  const transport = undiciCallouts(() => null)
  onTestFinished(() => transport.close())
  const transitions: string[] = []
  const observed: string[] = []
  let ids = 0
  let tokens = 0
  const callouts = createCallouts({
    transport,
    limits: memoryCalloutLimits(() => 1_700_000_000_000 + Math.floor(timer.elapsedMs())),
    grants: { check: () => null },
    authentication: {
      authenticate: async ({ url, headers, refused }) => {
        if (refused !== null) tokens += 1
        const token = `${secret}-${tokens}`
        const authorization = `Bearer ${token}`
        return { url, headers: { ...headers, authorization }, redact: redactor([token]), refreshOn }
      },
    },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    timer,
    ids: { uuid: () => `id ${ids++}` },
    random: systemRandom,
    observer: {
      onAttempt: (_, { n }, outcome) => observed.push(`attempt ${n} ${outcome}`),
      onWithheld: (_, error) => observed.push(`withheld ${error.code}`),
      onExecuted: (_, { attempts, error }) =>
        observed.push(`executed ${attempts.length} ${error?.code ?? 'delivered'}`),
      onTransition: (_, { from, to }, correlationId) => transitions.push(`${from} > ${to} ${correlationId}`),
    },
    ...overrides,
  })
  return { callouts, timer, transitions, observed }
}

function call(path: string, more: Partial<Callout> = {}, body: object = {}): Callout {
  const url = `http://127.0.0.1:${target.port}`
  const shared = { url, externalCredential: 'billing', principal: 'service', timeoutMs: 2000, ...body }
  return {
    credential: { key: 'billing', body: namedCredentialBody.parse(shared) },
    actor: 'ann',
    correlationId: 'c-1',
    method: 'GET',
    path,
    ...more,
  }
}

const quick = { retry: { baseMs: 100, jitter: false } }

async function errorOf(work: Promise<unknown>): Promise<AlmanacError> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AlmanacError)
  const { origin, message, details, cause } = error as AlmanacError
  expect(origin).toBe('integration.callout')
  expect(`${message} ${JSON.stringify(details)} ${String(cause)}`).not.toMatch(/secret-mark|UND_|\?/)
  return error as AlmanacError
}

describe('a callout', () => {
  it('returns the response and its attempts, without our secrets', async () => {
    const { callouts } = executor()
    const { status, body, attempts } = await callouts.execute(outside, call('/echo'))
    expect(status).toBe(200)
    const text = Buffer.from(body).toString()
    expect(text).toContain('authorization: Bearer [redacted]')
    expect(text).toContain('x-correlation-id: c-1')
    expect(target.requests.at(-1)).toContain(`authorization: Bearer ${secret}-0`)
    const endpoint = `http://127.0.0.1:${target.port}/echo`
    expect(attempts).toMatchObject([
      { n: 1, endpoint, status: 200, error: null, at: expect.any(String) as string },
    ])
  })

  it('tries again as its credential allows, and notes each attempt', async () => {
    next = [503, 'reset', 429, 'ok']
    const { callouts, timer } = executor()
    const { attempts } = await callouts.execute(outside, call('/next', {}, quick))
    expect(attempts.map(({ n, status, error }) => [n, status, error?.code])).toEqual([
      [1, 503, 'integration.remote_failed'],
      [2, null, 'integration.connection_lost'],
      [3, 429, 'integration.throttled'],
      [4, 200, undefined],
    ])
    expect(timer.waited).toEqual([100, 200, 400])
  })

  it('fails after its last attempt, with all of them', async () => {
    next = [500, 500, 500, 500]
    const error = await errorOf(executor().callouts.execute(outside, call('/next', {}, quick)))
    expect([error.code, error.kind.class, error.kind.retriable]).toEqual([
      'integration.remote_failed',
      'integration',
      true,
    ])
    expect(error.message).toBe(
      `GET http://127.0.0.1:${target.port}/next of billing failed after 4 attempts: it returned 500.`,
    )
    const [failure] = error.details as CalloutFailure[]
    expect(failure).toMatchObject({ credential: 'billing', status: 500, outcome: 'failed' })
    expect(failure!.attempts).toHaveLength(4)
    expect(failure!.attempts[0]!.error).toMatchObject({ correlationId: 'c-1', origin: 'integration.callout' })
  })

  const single: [name: string, what: keyof typeof behaviours | number, code: string, outcome: string][] = [
    ['a server error', 500, 'integration.remote_failed', 'failed'],
    ['a gateway error', 504, 'integration.remote_failed', 'unknown'],
    ['a lost connection', 'reset', 'integration.connection_lost', 'unknown'],
    ['half a response', 'half', 'integration.connection_lost', 'unknown'],
    ['no response', 'hang', 'integration.timeout', 'unknown'],
  ]
  it.each(single)('sends a POST without a key once: %s', async (_, what, code, outcome) => {
    next = [what]
    const before = target.requests.length
    // Only the one without a response waits for its end. On a busy machine, the others need more than a moment.
    const timeoutMs = what === 'hang' ? 1000 : 30_000
    const post = call('/next', { method: 'POST' }, { ...quick, timeoutMs })
    const error = await errorOf(executor().callouts.execute(outside, post))
    expect(error.code).toBe(code)
    expect((error.details[0] as CalloutFailure).outcome).toBe(outcome)
    expect(target.requests.length - before).toBe(1)
  })

  it('sends a POST with a declared key again, with the same key', async () => {
    next = [503, 'ok']
    const before = target.requests.length
    const idempotencyKey = { value: 'order-7', isDeclared: true }
    await executor().callouts.execute(outside, call('/next', { method: 'POST', idempotencyKey }, quick))
    const sent = target.requests.slice(before)
    expect(sent).toHaveLength(2)
    for (const request of sent) expect(request).toContain('idempotency-key: order-7')
  })

  const refusals: [path: string, code: string][] = [
    ['/redirect', 'integration.redirect_refused'],
    ['/next', 'integration.refused'],
  ]
  it.each(refusals)('fails by the refusal of %s, without another attempt', async (path, code) => {
    next = [404]
    const before = target.requests.length
    expect((await errorOf(executor().callouts.execute(outside, call(path)))).code).toBe(code)
    expect(target.requests.length - before).toBe(1)
  })

  it('returns statuses that its caller accepts', async () => {
    next = [404]
    const accepts = (status: number): boolean => status < 500
    expect((await executor().callouts.execute(outside, call('/next', { accepts }))).status).toBe(404)
  })

  it('waits as long as the target asks for, or fails if there is not enough time', async () => {
    const { callouts, timer } = executor()
    await errorOf(callouts.execute(outside, call('/wait', {}, { retry: { baseMs: 1, attempts: 2 } })))
    expect(timer.waited).toEqual([2000])
    const before = target.requests.length
    const error = await errorOf(executor().callouts.execute(outside, call('/wait_long')))
    expect([error.code, error.retryAfter]).toEqual(['integration.remote_failed', 120])
    expect(target.requests.length - before).toBe(1)
  })

  it('ends within the time of its operation', async () => {
    next = ['hang', 'hang']
    const error = await errorOf(
      executor().callouts.execute(outside, call('/next', {}, quick), { withinMs: 500 }),
    )
    expect(error.code).toBe('integration.timeout')
    expect((error.details[0] as CalloutFailure).attempts).toHaveLength(1)
  })

  it('ends by its signal', async () => {
    next = ['hang']
    const signal = AbortSignal.timeout(50)
    const error = await errorOf(executor().callouts.execute(outside, call('/next', { signal })))
    expect(error.message).toContain('it was cancelled')
  })
})

describe('before a callout is sent', () => {
  it('its grant is checked at every attempt', async () => {
    next = [503, 'ok']
    let checks = 0
    const grants = { check: () => (++checks < 2 ? null : 'ann no longer holds "billing_staff"') }
    const before = target.requests.length
    const error = await errorOf(executor({ grants }).callouts.execute(outside, call('/next', {}, quick)))
    expect([error.code, checks, target.requests.length - before]).toEqual(['access.denied', 2, 1])
    expect(error.message).toContain('ann no longer holds')
  })

  it('each attempt is counted', async () => {
    next = [503, 'ok']
    const counted: (AttemptStart & { sent: number })[] = []
    const before = target.requests.length
    const onAttempt = async (attempt: AttemptStart): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      counted.push({ ...attempt, sent: target.requests.length - before })
    }
    await executor().callouts.execute(outside, call('/next', { onAttempt }, quick))
    expect(counted.map(({ n, sent }) => [n, sent])).toEqual([
      [1, 0],
      [2, 1],
    ])
  })

  it('it is not sent if it cannot be counted', async () => {
    const before = target.requests.length
    const onAttempt = () => Promise.reject(new Error('the row is gone'))
    const { callouts } = executor()
    await expect(callouts.execute(outside, call('/ok', { onAttempt }))).rejects.toThrow('the row is gone')
    expect(target.requests.length).toBe(before)
    const budget = { budget: { concurrency: 1 } }
    await callouts.execute(outside, call('/ok', {}, budget))
  })

  it('its secrets are resolved, and a missing one refuses it', async () => {
    const authentication = {
      authenticate: () =>
        Promise.reject(new AlmanacError('integration.sign_in', 'The credential has no secret.')),
    }
    const before = target.requests.length
    const counted: unknown[] = []
    const onAttempt = (attempt: AttemptStart) => void counted.push(attempt)
    const { callouts } = executor({ authentication })
    expect((await errorOf(callouts.execute(outside, call('/ok', { onAttempt })))).code).toBe(
      'integration.sign_in',
    )
    expect([counted.length, target.requests.length]).toEqual([0, before])
  })

  it('a token that cannot be obtained now defers it', async () => {
    const authentication = {
      authenticate: () =>
        Promise.reject(new AlmanacError('integration.timeout', 'No token.', { retryAfter: 7 })),
    }
    const report = await executor({ authentication }).callouts.attempt(outside, call('/ok'), 0)
    expect(report).toMatchObject({ kind: 'deferred', retryInMs: 7000, attempts: [] })
  })

  it.each(['vault.key', 'vault.damaged', 'storage.damaged'] as const)(
    'a vault that cannot be read (%s) puts the call off, and does not end it',
    async (code) => {
      const authentication = { authenticate: () => Promise.reject(new AlmanacError(code, 'No key.')) }
      const { callouts } = executor({ authentication })
      const report = await callouts.attempt(outside, call('/ok'), 0)
      expect(report).toMatchObject({ kind: 'deferred', retryInMs: 30_000, attempts: [] })
    },
  )

  it('it cannot be sent to a different target by its scheme', async () => {
    const authentication = {
      authenticate: async () => ({ url: 'http://127.0.0.2/', headers: {}, redact: (text: string) => text }),
    }
    const error = await errorOf(executor({ authentication }).callouts.execute(outside, call('/ok')))
    expect(error.code).toBe('integration.call_invalid')
  })

  it('its path is checked', async () => {
    const error = await errorOf(
      executor().callouts.execute(outside, call('/{id}', { pathParams: { id: '..' } })),
    )
    expect(error.code).toBe('integration.call_invalid')
  })
})

describe('a token that the target refuses', () => {
  it('is replaced, and the call is sent once more, also a POST', async () => {
    next = [401, 'ok']
    const before = target.requests.length
    const { callouts } = executor({ refreshOn: [401] })
    const { attempts } = await callouts.execute(outside, call('/next', { method: 'POST' }))
    expect(attempts.map(({ n, status }) => [n, status])).toEqual([
      [1, 401],
      [2, 200],
    ])
    const tokens = target.requests.slice(before).map((request) => /Bearer (\S+)/.exec(request)![1])
    expect(tokens).toEqual([`${secret}-0`, `${secret}-1`])
  })

  it('is replaced once', async () => {
    next = [401, 401, 'ok']
    const error = await errorOf(executor({ refreshOn: [401] }).callouts.execute(outside, call('/next')))
    expect(error.code).toBe('integration.sign_in')
    expect((error.details[0] as CalloutFailure).attempts).toHaveLength(2)
  })
})

describe('the authentication of a callout', () => {
  const failing = (error: AlmanacError) =>
    executor({ authentication: { authenticate: () => Promise.reject(error) } }).callouts

  it.each([
    ['vault.key', 30, { kind: 'deferred', retryInMs: 30_000, attempts: [] }],
    ['integration.token_unavailable', undefined, { kind: 'deferred', retryInMs: 5000, attempts: [] }],
    ['integration.secret_absent', undefined, { kind: 'refused', attempts: [] }],
    ['integration.consent_required', undefined, { kind: 'refused', attempts: [] }],
  ] as const)('that fails as %s costs no attempt', async (code, retryAfter, expected) => {
    const error = new AlmanacError(code, 'No.', { retryAfter })
    expect(await failing(error).attempt(outside, call('/next'), 2)).toMatchObject(expected)
  })
})

describe('the breaker and the budget of a callout', () => {
  const breaker = { retry: { attempts: 1 }, circuitBreaker: { failureThreshold: 2, openSec: 30 } }

  it('an open breaker fails it at once, and defers a worker without an attempt', async () => {
    next = [500, 500]
    const { callouts, transitions } = executor()
    for (let n = 0; n < 2; n += 1) await errorOf(callouts.execute(outside, call('/next', {}, breaker)))
    const before = target.requests.length
    const error = await errorOf(callouts.execute(outside, call('/next', {}, breaker)))
    expect([error.code, error.kind.retriable, error.retryAfter]).toEqual([
      'integration.breaker_open',
      true,
      30,
    ])
    const report = await callouts.attempt(outside, call('/next', {}, breaker), 3)
    expect(report).toMatchObject({ kind: 'deferred', attempts: [] })
    expect(target.requests.length).toBe(before)
    await expect.poll(() => transitions).toEqual(['closed > open c-1'])
  })

  it('a probe closes it; one whose call was not sent gives the probe back', async () => {
    next = [500, 500]
    let isDenied = false
    const authentication = {
      authenticate: ({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) =>
        isDenied
          ? Promise.reject(new AlmanacError('integration.sign_in', 'The credential has no secret.'))
          : Promise.resolve({ url, headers, redact: (text: string) => text }),
    }
    const { callouts, timer, transitions } = executor({ authentication })
    for (let n = 0; n < 2; n += 1) await errorOf(callouts.execute(outside, call('/next', {}, breaker)))
    await expect.poll(() => transitions).toHaveLength(1)
    timer.skippedMs += 31_000
    isDenied = true
    await errorOf(callouts.execute(outside, call('/next', {}, breaker)))
    isDenied = false
    expect((await callouts.execute(outside, call('/next', {}, breaker))).status).toBe(200)
    expect(transitions).toEqual([
      'closed > open c-1',
      'open > half_open c-1',
      'half_open > open c-1',
      'open > half_open c-1',
      'half_open > closed c-1',
    ])
  })

  it('an administrator opens and closes it', async () => {
    const { callouts, observed, transitions } = executor()
    const { circuitBreaker } = call('/ok').credential.body
    await callouts.breaker('billing').forceOpen(ann, circuitBreaker)
    const error = await errorOf(callouts.execute(outside, call('/ok')))
    expect([error.code, error.retryAfter]).toEqual(['integration.breaker_open', undefined])
    const { last } = await callouts.breaker('billing').state()
    expect(last).toMatchObject({ cause: 'forced_open', actor: 'ann', reason: 'maintenance' })
    await callouts.breaker('billing').forceClose(ann, circuitBreaker)
    await callouts.execute(outside, call('/ok'))
    expect(transitions).toEqual(['closed > forced_open c-2', 'forced_open > closed c-2'])
    expect(observed).toEqual([
      'withheld integration.breaker_open',
      'executed 0 integration.breaker_open',
      'attempt 1 delivered',
      'executed 1 delivered',
    ])
  })

  it('a spent budget fails it with class limit, and defers a worker', async () => {
    const { callouts } = executor()
    const budget = { budget: { requestsPerMinute: 2 } }
    for (let n = 0; n < 2; n += 1) await callouts.execute(outside, call('/ok', {}, budget))
    const error = await errorOf(callouts.execute(outside, call('/ok', {}, budget)))
    expect([error.code, error.kind.class, error.kind.retriable]).toEqual([
      'limit.callout_budget',
      'limit',
      true,
    ])
    expect(error.retryAfter).toBeGreaterThan(50)
    expect(await callouts.attempt(outside, call('/ok', {}, budget), 0)).toMatchObject({ kind: 'deferred' })
  })

  it('counts the calls in flight', async () => {
    next = ['hang']
    const { callouts } = executor()
    const budget = { budget: { concurrency: 1 }, timeoutMs: 300, retry: { attempts: 1 } }
    const first = errorOf(callouts.execute(outside, call('/next', {}, budget)))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await errorOf(callouts.execute(outside, call('/ok', {}, budget)))).code).toBe(
      'limit.callout_budget',
    )
    await first
    await callouts.execute(outside, call('/ok', {}, budget))
  })
})

describe('a worker', () => {
  it('makes one attempt, and learns when the next one follows', async () => {
    next = [503, 503]
    const { callouts } = executor()
    const report = await callouts.attempt(outside, call('/next', {}, quick), 1)
    expect(report).toMatchObject({ kind: 'failed', outcome: 'failed', retryInMs: 200, attempts: [{ n: 2 }] })
    const last = await callouts.attempt(outside, call('/next', {}, quick), 3)
    expect(last).toMatchObject({ kind: 'failed', retryInMs: null, attempts: [{ n: 4 }] })
  })

  it('honours Retry-After whole', async () => {
    const report = await executor().callouts.attempt(outside, call('/wait_long'), 0)
    expect(report).toMatchObject({ kind: 'failed', retryInMs: 120_000 })
  })

  it('learns of a loss whose outcome is unknown', async () => {
    next = ['reset']
    const report = await executor().callouts.attempt(outside, call('/next', { method: 'PATCH' }), 0)
    expect(report).toMatchObject({ kind: 'failed', outcome: 'unknown', retryInMs: null })
  })
})

describe('a callout inside a transaction', () => {
  it('does not compile without the capability', () => {
    const { callouts } = executor()
    // @ts-expect-error -- nothing but the mint makes a capability
    const withObject = (): unknown => callouts.execute({}, call('/ok'))
    // @ts-expect-error -- a call needs one
    const without = (): unknown => callouts.execute(call('/ok'))
    expect([typeof withObject, typeof without]).toEqual(['function', 'function'])
  })

  it.each([
    ['a forged capability', () => ({}) as typeof outside, (work: () => Promise<unknown>) => work()],
    ['a real one', () => outside, (work: () => Promise<unknown>) => insideTransaction(work)],
    [
      'a transaction that began earlier',
      () => outside,
      (work: () => Promise<unknown>) =>
        insideTransaction(async () => {
          await new Promise((resolve) => setTimeout(resolve, 10))
          return await work()
        }),
    ],
  ])('is caught when it is forced, with %s', async (_, capability, run) => {
    const { callouts } = executor()
    const before = target.requests.length
    for (const force of [
      () => callouts.execute(capability(), call('/ok')),
      () => callouts.attempt(capability(), call('/ok'), 0),
    ]) {
      const error = await errorOf(run(force))
      expect(error.code).toBe('integration.inside_transaction')
    }
    expect(target.requests.length).toBe(before)
  })

  it('cannot mint the capability either', () => {
    expect(() => insideTransaction(() => mintOutsideTransaction())).toThrow(/inside a transaction/)
  })

  it('is possible once the transaction is over, also for what it left running', async () => {
    const { callouts } = executor()
    const later = insideTransaction(() => () => callouts.execute(outside, call('/ok')))
    expect((await later()).status).toBe(200)
    let left: Promise<unknown> = Promise.resolve()
    await insideTransaction(async () => {
      left = new Promise((resolve) => setTimeout(resolve, 30)).then(() =>
        callouts.execute(outside, call('/ok')),
      )
      await Promise.resolve()
    })
    expect(await left).toMatchObject({ status: 200 })
    await expect(insideTransaction(() => Promise.reject(new Error('undone')))).rejects.toThrow('undone')
    await callouts.execute(outside, call('/ok'))
  })

  it('is caught in an inner scope that is over while the outer one is open', async () => {
    const { callouts } = executor()
    const error = await errorOf(
      insideTransaction(async () => {
        let left: Promise<unknown> = Promise.resolve()
        insideTransaction(() => {
          left = new Promise((resolve) => setTimeout(resolve, 5)).then(() =>
            callouts.execute(outside, call('/ok')),
          )
        })
        await left
      }),
    )
    expect(error.code).toBe('integration.inside_transaction')
  })
})
