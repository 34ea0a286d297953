// The time window: its ticks, its zoom, and the days that a drag snaps to.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dateOf,
  dayOf,
  FIRST_DAY,
  LAST_DAY,
  parseCivilDate,
  type DayNumber,
} from '#kernel/dates/civil-date.ts'
import {
  windowAround,
  dayAt,
  fitWindow,
  moveWindow,
  positionOf,
  snapOf,
  snapDay,
  ticks,
  zoomWindow,
} from './scale.ts'

const day = (text: string): DayNumber => dayOf(parseCivilDate(text)!)
const windows = fc.record({
  start: fc.integer({ min: day('1900-01-01'), max: day('2100-01-01') }),
  days: fc.integer({ min: 14, max: 60_000 }),
})

describe('fitting', () => {
  it('shows all rows and today', () => {
    const today = day('2026-11-14')
    const window = fitWindow([{ from: day('1968-01-01'), to: null }], today)
    expect(positionOf(window, day('1968-01-01'))).toBeGreaterThan(0)
    expect(positionOf(window, today)).toBeLessThan(1)
    expect(fitWindow([], today).days).toBeGreaterThan(100)
  })
})

describe('ticks', () => {
  it.each([
    [day('2010-01-01'), 6600, ['2011', '2012', '2013']],
    [day('2026-01-01'), 366, ['Jul', 'Oct', '2027']],
    [day('2026-01-05'), 28, ['12 Jan', '19 Jan']],
  ])('from %s over %i days', (start, days, expected) => {
    const labels = ticks({ start, days }, 800).map(({ label }) => label)
    for (const each of expected) expect(labels).toContain(each)
  })

  it('are in the window, spaced apart and in order', () => {
    fc.assert(
      fc.property(windows, fc.integer({ min: 200, max: 2000 }), (window, width) => {
        const found = ticks(window, width)
        const places = found.map((tick) => positionOf(window, tick.day) * width)
        for (const [at, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(-1)
          expect(place).toBeLessThanOrEqual(width)
          if (at > 0) expect(place - places[at - 1]!).toBeGreaterThan(30)
        }
      }),
    )
  })
})

describe('a window', () => {
  it('keeps the point that is zoomed around, and stays within the calendar', () => {
    fc.assert(
      fc.property(
        windows,
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (window, factor, at) => {
          const next = zoomWindow(window, factor, at)
          const before = window.start + window.days * at
          if (next.days !== 14) expect(next.start + next.days * at).toBeCloseTo(before, 3)
          const far = moveWindow(next, 1e9)
          expect(far.start + far.days).toBeLessThanOrEqual(LAST_DAY)
          expect(moveWindow(next, -1e9).start).toBeGreaterThanOrEqual(FIRST_DAY)
        },
      ),
    )
  })

  it('returns the day under a position', () => {
    fc.assert(
      fc.property(windows, fc.integer({ min: 0, max: 59_999 }), (window, n) => {
        const at = (window.start + (n % window.days)) as DayNumber
        expect(dayAt(window, positionOf(window, at) + 0.2 / window.days)).toBe(at)
      }),
    )
  })

  it('contains the day that it is created around', () => {
    const window = windowAround(day('2026-11-14'), 366)
    expect(positionOf(window, day('2026-11-14'))).toBeGreaterThan(0)
    expect(positionOf(window, day('2026-11-14'))).toBeLessThan(1)
  })
})

describe('a drag snaps', () => {
  it('to a step that is wide enough to hit', () => {
    expect([
      snapOf({ start: 0, days: 300 }, 700),
      snapOf({ start: 0, days: 3000 }, 700),
      snapOf({ start: 0, days: 30_000 }, 700),
    ]).toEqual(['day', 'month', 'year'])
  })

  it.each([
    ['2026-11-14', 'day', '2026-11-14'],
    ['2026-11-14', 'month', '2026-11-01'],
    ['2026-11-20', 'month', '2026-12-01'],
    ['2026-05-14', 'year', '2026-01-01'],
    ['2026-09-14', 'year', '2027-01-01'],
  ] as const)('%s to the nearest %s: %s', (from, step, to) => {
    expect(dateOf(snapDay(day(from), step))).toBe(to)
  })
})
