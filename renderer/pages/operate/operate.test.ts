import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TraceEventView } from '../../api/operate.ts'
import { timedAttempts } from './attempt-gaps.ts'
import { countedWords, spanWords, wholeSpanWords } from './operate-words.ts'
import { ticksOf, waterfallOf } from './waterfall.ts'

const start = Date.UTC(2026, 0, 1)
const event = (id: string, ms: number, durationMs: number | null = null): TraceEventView => ({
  ...{ id, at: new Date(start + ms).toISOString(), kind: 'throttle', correlationId: 'c', subject: null },
  ...{ record: null, actor: null, isFailed: false, durationMs, facts: { code: 'x' } },
})

describe('the number of a list', () => {
  it('is followed by a noun in the singular or the plural, or by a state', () => {
    const words = (number: number, state: string): string => countedWords(number, state, 'call', 'calls')
    expect([words(1, 'all'), words(2, 'all')]).toEqual(['call', 'calls'])
    expect([words(1, 'dead letters'), words(0, 'dead letters')]).toEqual(['dead letter', 'dead letters'])
    expect(words(1, 'in flight')).toBe('in flight')
  })
})

describe('the waterfall of a trace', () => {
  it('is cut where nothing happens for long', () => {
    const parts = waterfallOf([event('c', 380_100, 50), event('a', 0, 100), event('b', 60, 140)])
    expect(parts.map(({ afterMs, spanMs }) => [afterMs, spanMs])).toEqual([
      [null, 200],
      [379_900, 50],
    ])
    expect(parts[0]!.bars.map(({ event: { id }, left, width }) => [id, left, width])).toEqual([
      ['a', 0, 50],
      ['b', 30, 70],
    ])
  })

  it('has every event once, in its order, and within its part', () => {
    const events = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.option(fc.integer({ min: 0, max: 50_000 }))),
    )
    fc.assert(
      fc.property(events, (made) => {
        const all = made.map(([ms, duration], at) => event(String(at).padStart(4, '0'), ms, duration))
        const bars = waterfallOf(all).flatMap((part) => part.bars)
        expect(new Set(bars.map((bar) => bar.event.id)).size).toBe(all.length)
        for (const [at, bar] of bars.entries()) {
          expect(bar.left >= 0 && bar.left + bar.width <= 100.2).toBe(true)
          if (at > 0) expect(bar.event.at >= bars[at - 1]!.event.at).toBe(true)
        }
      }),
    )
  })

  it('has round numbers on its axis', () => {
    expect(ticksOf(37)).toEqual([0, 10, 20, 30])
    expect(ticksOf(9800)).toEqual([0, 5000])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (span) => {
        const ticks = ticksOf(span)
        expect(ticks.length >= 1 && ticks.length <= 5 && ticks.at(-1)! <= span).toBe(true)
      }),
    )
  })
})

it('the gaps between attempts grow with their time', () => {
  const attempt = (n: number, ms: number, latencyMs: number | null) => ({
    ...{ n, at: new Date(start + ms).toISOString(), endpoint: 'e', status: null, latencyMs, error: null },
  })
  const timed = timedAttempts([attempt(1, 0, 500), attempt(2, 2500, 1000), attempt(3, 123_500, null)])
  expect(timed.map(({ share, gap }) => [share, gap?.ms ?? null])).toEqual([
    [50, null],
    [100, 2000],
    [0, 120_000],
  ])
  expect(timed[2]!.gap!.height).toBeGreaterThan(timed[1]!.gap!.height)
})

it('a time is shown in the units that suit it', () => {
  const words = [842, 2000, 380_000, 3_600_000, 7_500_000, 300_000_000].map(spanWords)
  expect(words).toEqual(['842 ms', '2.0 s', '6 min 20 s', '1 h', '2 h 5 min', '3 d'])
  expect([-5, 842, 2999, 380_900].map(wholeSpanWords)).toEqual(['0 s', '0 s', '2 s', '6 min 20 s'])
})
