// Where the points of the map are drawn, and the flags on its axis.
import { describe, expect, it } from 'vitest'
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { MapLine } from './map-lines.ts'
import { flagsOf, spotOf } from './map-points.ts'

const day = (text: string): number => dayOf(parseCivilDate(text)!)
const span = { from: day('2020-01-01'), to: Infinity, text: '19 %', entry: 'vat.de' }
const lines: MapLine[] = [
  { generation: 3, at: null, actor: 'mara', changed: true, spans: [span] },
  { generation: 2, at: null, actor: 'mara', changed: true, spans: [] },
]
const year = { start: day('2024-01-01'), days: 366 }
const spot = (side: 'a' | 'b', generation: number, asOf: string | null) =>
  spotOf(side, { generation, asOf }, lines, year)

describe('a point', () => {
  it('is on the line of its generation, in the middle of its day, with the value there', () => {
    const { x, y, off, value } = spot('a', 3, '2024-07-02')
    expect([y, off, value]).toEqual([0, '', '19 %'])
    expect(x).toBeCloseTo((183.5 / 366) * 100)
    expect(spot('a', 2, '2024-07-02')).toMatchObject({ y: 1, value: 'no value' })
    expect(spot('a', 7, '2024-07-02').y).toBe(-1)
  })

  it('is at the edge if its day is beyond it', () => {
    expect(spot('a', 3, '2023-01-01')).toMatchObject({ x: 0, off: 'left' })
    expect(spot('b', 3, '2026-01-01')).toMatchObject({ x: 100, off: 'right' })
  })

  it('of a set without dates has a place of its own', () => {
    expect(spot('a', 3, null)).toMatchObject({ x: 25, off: '' })
  })
})

describe('flags', () => {
  const flags = (a: string, b: string, width = 600) => flagsOf([spot('a', 3, a), spot('b', 2, b)], width)

  it('are one for each point with enough room between them', () => {
    expect(flags('2024-03-01', '2024-10-01').map(({ side, lean }) => [side, lean])).toEqual([
      ['a', ''],
      ['b', ''],
    ])
  })

  it('begin or end at the edge, with an arrow to a day beyond it', () => {
    expect(flags('2023-01-01', '2026-01-01')).toMatchObject([
      { text: '← 1 Jan 2023', lean: 'start' },
      { text: '1 Jan 2026 →', lean: 'end' },
    ])
  })

  it('are one for both points if two would overlap, ordered by day', () => {
    expect(flags('2024-03-20', '2024-03-01')).toMatchObject([
      { side: 'both', lean: 'start', text: '1 Mar 2024, 20 Mar 2024' },
    ])
    expect(flags('2024-10-01', '2024-10-20')).toMatchObject([{ side: 'both', lean: 'end' }])
    expect(flags('2024-03-01', '2024-03-01')).toMatchObject([{ side: 'a', text: '1 Mar 2024' }])
  })

  it('are missing for a point whose generation is not on the map', () => {
    expect(flagsOf([spot('a', 7, '2024-03-01'), spot('b', 2, '2024-10-01')], 600)).toHaveLength(1)
  })
})
