// The sentences between two points: who changed the value, and when.
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'
import { describe, expect, it } from 'vitest'
import type { MapLine } from './map-lines.ts'
import { describeDifference } from './point-difference.ts'

const from = dayOf(parseCivilDate('2024-01-01')!)
const line = (generation: number, text: string, changed = true): MapLine => ({
  ...{ generation, at: `2025-01-0${generation}T08:00:00Z`, actor: 'tom', changed },
  spans: [{ from, to: Infinity, text, entry: 'vat.ee' }],
})
const lines = [line(4, '24', false), line(3, '24'), line(2, '22'), line(1, '20')]
const point = (generation: number, asOf = '2025-09-02') => ({ generation, asOf })

describe('the story between two points', () => {
  it('names each generation that changed it, from either side', () => {
    const sentence =
      'Generation 1 has 20 for 2 Sep 2025; 2 (2 Jan 2025, tom) changed it to 22, 3 (3 Jan 2025, tom) changed it to 24.'
    expect(describeDifference(lines, point(1), point(4))).toBe(sentence)
    expect(describeDifference(lines, point(4), point(1))).toBe(sentence)
  })

  it('covers points without a change, and without a value', () => {
    expect(describeDifference(lines, point(3), point(4))).toBe(
      'Generations 3 and 4 both have 24 for 2 Sep 2025; nothing between them changed that.',
    )
    expect(describeDifference(lines, point(3), point(3, '2020-01-01'))).toBe(
      'Generation 3 has 24 for 2 Sep 2025; 3 has no value for 1 Jan 2020.',
    )
    expect(describeDifference(lines, point(9), point(3))).toBe('')
  })
})
