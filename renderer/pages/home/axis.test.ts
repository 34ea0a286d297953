import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CivilDate } from '#kernel/dates/civil-date.ts'
import { monthTicks, placeMonths, positionOf, stackMarks, ticksThatFit, weekTicks } from './axis.ts'

const axis = { today: '2026-11-21' as CivilDate, until: '2027-02-19' as CivilDate }

describe('the axis', () => {
  it('has its ends at 0 and 1', () => {
    expect([positionOf(axis, '2026-11-21'), positionOf(axis, '2027-02-19')]).toEqual([0, 1])
  })

  it('marks months, with the year of January, and Mondays', () => {
    expect(monthTicks(axis).map(({ label }) => label)).toEqual(['December', 'January 2027', 'February'])
    expect(weekTicks(axis).map(({ label }) => label)).toEqual([
      '23',
      '30',
      '7',
      '14',
      '21',
      '28',
      '4',
      '11',
      '18',
      '25',
      '1',
      '8',
      '15',
    ])
    const year = { today: axis.today, until: '2027-11-21' as CivilDate }
    expect(weekTicks(year).length).toBeLessThanOrEqual(14)
  })

  it('names months so that none overlaps another or leaves the axis, and always the new year', () => {
    const pixels = (text: string): number => text.length * 7 + 14
    const names = (until: string, width: number): string[] =>
      placeMonths({ today: axis.today, until: until as CivilDate }, width, pixels).map(({ item }) => item)
    expect(names('2027-02-19', 700)).toEqual(['December', 'January 2027', 'February'])
    expect(names('2027-02-03', 700)).toEqual(['December', 'January 2027', 'February'])
    expect(names('2027-02-19', 250)).toEqual(['2027', 'Dec', 'Feb'])
    const year = names('2027-11-21', 250)
    expect(year).toContain('2027')
    expect(year.length).toBeLessThan(12)
  })

  it('names no Monday that would overlap “today” or leave the axis', () => {
    const ticks = [0.04, 0.1, 0.99].map((at) => ({ at, label: '30' }))
    const pixels = (text: string): number => text.length * 7
    expect(ticksThatFit(ticks, 600, 47, pixels).map(({ at }) => at)).toEqual([0.1])
    expect(ticksThatFit(ticks, 2000, 47, pixels)).toEqual(ticks)
  })

  it('puts each mark on its day, however long its text is and however narrow the axis', () => {
    const mark = fc.record({
      item: fc.nat(),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      width: fc.integer({ min: 10, max: 900 }),
    })
    fc.assert(
      fc.property(mark, fc.integer({ min: 120, max: 1200 }), (single, width) => {
        const [placed] = stackMarks([single], width, 1).placed
        const end = placed!.turned ? placed!.left + placed!.width : placed!.left
        expect(end).toBeCloseTo(single.at * width, 3)
      }),
    )
  })

  it('stacks marks so that no two overlap and none leaves the axis', () => {
    const marks = fc.array(
      fc.record({
        item: fc.nat(),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        width: fc.integer({ min: 10, max: 300 }),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(marks, (given) => {
        const { placed, hidden } = stackMarks(given, 800, 4)
        expect(placed.length + hidden).toBe(given.length)
        for (const one of placed) {
          expect(one.left).toBeGreaterThanOrEqual(0)
          expect(one.left + one.width).toBeLessThanOrEqual(800.001)
          for (const other of placed)
            if (one !== other && one.row === other.row)
              expect(one.left >= other.left + other.width || other.left >= one.left + one.width).toBe(true)
        }
      }),
    )
  })
})
