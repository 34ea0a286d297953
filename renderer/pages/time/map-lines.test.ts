// The drawing of the map: the line of a point, the borders between values, one label for an unchanged value.
import { describe, expect, it } from 'vitest'
import type { KeyHistoryRow } from '../../api/points.ts'
import { drawMap, mapLines, shades, shortValues, spanOn } from './map-lines.ts'
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'

const day = (text: string): number => dayOf(parseCivilDate(text)!)
const row = (generation: number, at: string, segments: [string, string | null, string][]): KeyHistoryRow =>
  ({
    ...{ generation, at: `${at}T09:00:00Z`, actor: 'mara', rationale: '', changes: [] },
    segments: segments.map(([from, to, rate]) => ({
      ...{ from, to, values: { rate }, entry: `vat.${from}`, scope: { kind: 'org' } },
    })),
  }) as unknown as KeyHistoryRow

const rows = [
  row(404, '2025-07-18', [
    ['2010-01-01', '2024-01-01', '0.20'],
    ['2024-01-01', null, '0.24'],
  ]),
  row(388, '2024-05-21', [
    ['2010-01-01', '2024-01-01', '0.20'],
    ['2024-01-01', null, '0.22'],
  ]),
]
const fields = [{ key: 'rate', type: 'number' }]
const lines = (others: number[] = []) =>
  mapLines(
    rows,
    others,
    (values) => shortValues(values, fields),
    () => '2025-01-01T00:00:00Z',
  )

describe('lines of a map', () => {
  it('include a generation that changed nothing, with the values of the previous one', () => {
    const rows = lines([412, 396, 404, 370])
    expect(rows.map(({ generation, changed }) => [generation, changed])).toEqual([
      [412, false],
      [404, true],
      [396, false],
      [388, true],
      [370, false],
    ])
    expect(rows.map((line) => spanOn(line, day('2025-01-01'))?.text)).toEqual([
      '0.24',
      '0.24',
      '0.22',
      '0.22',
      undefined,
    ])
  })

  it('are shaded by size', () => {
    expect([...shades(lines())]).toEqual([
      ['0.20', 0],
      ['0.22', 0.5],
      ['0.24', 1],
    ])
  })
})

describe('the drawing', () => {
  const window = { start: day('2020-01-01'), days: day('2030-01-01') - day('2020-01-01') }
  const drawn = drawMap(lines(), window, day('2026-01-01'))

  it('has one label for an unchanged value, and lines only where values differ', () => {
    expect(drawn.labels.map(({ text, y }) => [text, y])).toEqual([
      ['0.20', 1],
      ['0.24', 0.5],
      ['0.22', 1.5],
    ])
    // Down at the first day of 2024 in both lines, and across from there between them.
    expect(drawn.edges).toBe('M399.95 0V1M399.95 1H1000M399.95 1V2')
  })

  it('moves up a line on the day on which a generation became active', () => {
    expect(drawn.activationPath).toBe('M438.54 1.5H554.34V0.5H600.05')
  })
})
