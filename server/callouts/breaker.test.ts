import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import {
  advanceBreaker,
  answerOf,
  closedBreaker,
  type BreakerEvent,
  type BreakerState,
  type BreakerTransition,
} from './breaker.ts'

const policy = { failureThreshold: 3, windowSec: 60, openSec: 30 }
const report = (health: 'success' | 'failure' | 'none', token: string | null = null): BreakerEvent => ({
  type: 'report',
  health,
  token,
})
const probe = (token: string, leaseMs = 5000): BreakerEvent => ({ type: 'probe', token, leaseMs })

/** Applies events, each at its second; returns the last state and all transitions. */
function run(events: readonly [second: number, event: BreakerEvent][], first: BreakerState = closedBreaker) {
  let state = first
  const transitions: string[] = []
  for (const [second, event] of events) {
    const change = advanceBreaker(state, event, policy, second * 1000)
    if (change === null) continue
    state = change.state
    if (change.transition !== null) transitions.push(describeTransition(change.transition))
  }
  return { state, transitions }
}

function describeTransition({ from, to, cause, at }: BreakerTransition): string {
  return `${at / 1000} ${from} > ${to}: ${cause}`
}

const opened: [number, BreakerEvent][] = [
  [0, report('failure')],
  [1, report('failure')],
  [2, report('failure')],
]

describe('a breaker', () => {
  const cases: [
    name: string,
    events: [number, BreakerEvent][],
    transitions: string[],
    at: number,
    answer: string,
  ][] = [
    ['passes calls at first', [], [], 0, 'pass'],
    ['stays closed below its threshold', opened.slice(1), [], 3, 'pass'],
    ['opens at its threshold', opened, ['2 closed > open: failures'], 3, 'refuse until 32000'],
    [
      'ignores successes',
      [...opened.slice(1), [2.5, report('success')], [2.6, report('failure')]],
      ['2.6 closed > open: failures'],
      3,
      'refuse until 32600',
    ],
    [
      'forgets failures before its window',
      [
        [0, report('failure')],
        [1, report('failure')],
        [60, report('failure')],
        [60.5, report('failure')],
      ],
      ['60.5 closed > open: failures'],
      61,
      'refuse until 90500',
    ],
    [
      'does not open by failures that are too far apart',
      [
        [0, report('failure')],
        [59, report('failure')],
        [60, report('failure')],
        [119, report('failure')],
      ],
      [],
      119,
      'pass',
    ],
    ['offers a probe when its time is over', opened, ['2 closed > open: failures'], 32, 'probe'],
    [
      'gives no probe before',
      [...opened, [31, probe('a')]],
      ['2 closed > open: failures'],
      31,
      'refuse until 32000',
    ],
    [
      'gives one probe',
      [...opened, [32, probe('a')], [33, probe('b')]],
      ['2 closed > open: failures', '32 open > half_open: open_elapsed'],
      34,
      'refuse until 37000',
    ],
    [
      'closes when the probe succeeds',
      [...opened, [32, probe('a')], [33, report('success', 'a')]],
      [
        '2 closed > open: failures',
        '32 open > half_open: open_elapsed',
        '33 half_open > closed: probe_succeeded',
      ],
      34,
      'pass',
    ],
    [
      'opens again when the probe fails',
      [...opened, [32, probe('a')], [33, report('failure', 'a')]],
      ['2 closed > open: failures', '32 open > half_open: open_elapsed', '33 half_open > open: probe_failed'],
      34,
      'refuse until 63000',
    ],
    [
      'offers the probe again if it was not sent',
      [...opened, [32, probe('a')], [33, report('none', 'a')]],
      [
        '2 closed > open: failures',
        '32 open > half_open: open_elapsed',
        '33 half_open > open: probe_released',
      ],
      33,
      'probe',
    ],
    [
      'offers another probe when the lease of the first has ended',
      [...opened, [32, probe('a')], [37, probe('b')]],
      [
        '2 closed > open: failures',
        '32 open > half_open: open_elapsed',
        '37 half_open > half_open: probe_lapsed',
      ],
      38,
      'refuse until 42000',
    ],
    [
      'ignores the report of a probe whose lease went on',
      [...opened, [32, probe('a')], [37, probe('b')], [38, report('success', 'a')]],
      [
        '2 closed > open: failures',
        '32 open > half_open: open_elapsed',
        '37 half_open > half_open: probe_lapsed',
      ],
      38,
      'refuse until 42000',
    ],
    [
      'ignores reports of calls from before',
      [...opened, [32, probe('a')], [33, report('success')], [34, report('failure')]],
      ['2 closed > open: failures', '32 open > half_open: open_elapsed'],
      35,
      'refuse until 37000',
    ],
    [
      'is opened by an administrator',
      [[5, { type: 'force_open', actor: 'ann' }]],
      ['5 closed > forced_open: forced_open'],
      9999,
      'refuse',
    ],
    [
      'gives no probe then',
      [
        [5, { type: 'force_open', actor: 'ann' }],
        [99, probe('a')],
        [100, report('success')],
      ],
      ['5 closed > forced_open: forced_open'],
      101,
      'refuse',
    ],
    [
      'is closed by an administrator',
      [...opened, [5, { type: 'force_close', actor: 'ann' }]],
      ['2 closed > open: failures', '5 open > closed: forced_closed'],
      6,
      'pass',
    ],
    [
      'starts counting again then',
      [...opened, [5, { type: 'force_close', actor: 'ann' }], [6, report('failure')], [7, report('failure')]],
      ['2 closed > open: failures', '5 open > closed: forced_closed'],
      8,
      'pass',
    ],
  ]
  it.each(cases)('%s', (_, events, transitions, at, expected) => {
    const end = run(events)
    expect(end.transitions).toEqual(transitions)
    const answer = answerOf(end.state, at * 1000)
    const until = answer.kind === 'refuse' && answer.until !== null ? ` until ${answer.until}` : ''
    expect(answer.kind + until).toBe(expected)
  })

  it('names the administrator', () => {
    const change = advanceBreaker(closedBreaker, { type: 'force_open', actor: 'ann' }, policy, 0)
    expect(change?.transition?.actor).toBe('ann')
    expect(change?.state).toEqual({ state: 'forced_open', by: 'ann' })
  })

  it('agrees with a plain model', () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 5000 })),
      event: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(report('failure'), report('success'), report('none')) },
        { weight: 3, arbitrary: fc.constantFrom('a', 'b').map((token) => probe(token, 700)) },
        {
          weight: 3,
          arbitrary: fc
            .tuple(
              fc.constantFrom('success' as const, 'failure' as const, 'none' as const),
              fc.constantFrom('a', 'b'),
            )
            .map(([health, token]) => report(health, token)),
        },
        {
          weight: 1,
          arbitrary: fc.constantFrom<BreakerEvent>(
            { type: 'force_open', actor: 'ann' },
            { type: 'force_close', actor: 'ann' },
          ),
        },
      ),
    })
    const policies = fc.record({
      failureThreshold: fc.integer({ min: 1, max: 4 }),
      windowSec: fc.integer({ min: 1, max: 3 }),
      openSec: fc.integer({ min: 1, max: 2 }),
    })
    fc.assert(
      fc.property(policies, fc.array(step, { maxLength: 60 }), (chosen, steps) => {
        const model = new PlainBreaker(chosen)
        let state = closedBreaker
        let now = 1_700_000_000_000
        for (const { waitMs, event } of steps) {
          now += waitMs
          expect(answerOf(state, now).kind).toBe(model.answer(now))
          state = advanceBreaker(state, event, chosen, now)?.state ?? state
          model.apply(event, now)
          expect(state.state).toBe(model.name)
          expect(JSON.parse(JSON.stringify(state))).toEqual(state)
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** Keeps every failure and asks plain questions about the whole history. */
class PlainBreaker {
  name: BreakerState['state'] = 'closed'
  readonly #policy: typeof policy
  #failures: number[] = []
  #until = 0
  #holder = ''

  constructor(chosen: typeof policy) {
    this.#policy = chosen
  }

  answer(now: number): string {
    if (this.name === 'closed') return 'pass'
    return this.name !== 'forced_open' && now >= this.#until ? 'probe' : 'refuse'
  }

  apply(event: BreakerEvent, now: number): void {
    if (event.type === 'force_open') this.name = 'forced_open'
    else if (event.type === 'force_close') this.#close()
    else if (event.type === 'probe') {
      if (this.answer(now) !== 'probe') return
      this.name = 'half_open'
      this.#holder = event.token
      this.#until = now + event.leaseMs
    } else if (this.name === 'closed') {
      if (event.health === 'failure') this.#fail(now)
    } else if (this.name === 'half_open' && event.token === this.#holder) {
      if (event.health === 'success') return this.#close()
      this.name = 'open'
      this.#until = now + (event.health === 'failure' ? this.#policy.openSec * 1000 : 0)
    }
  }

  #close(): void {
    this.name = 'closed'
    this.#failures = []
  }

  /** A failure counts from the beginning of its step, a thousandth of the window. */
  #fail(now: number): void {
    const { failureThreshold, windowSec, openSec } = this.#policy
    this.#failures.push(Math.floor(now / windowSec) * windowSec)
    const counted = this.#failures.filter((at) => at > now - windowSec * 1000)
    if (counted.length < failureThreshold) return
    this.name = 'open'
    this.#until = now + openSec * 1000
  }
}
