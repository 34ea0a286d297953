import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const now = Date.UTC(2026, 10, 6, 8, 49, 37)

describe('Retry-After', () => {
  const cases: [value: string | undefined, expected: number | null][] = [
    [undefined, null],
    ['120', 120_000],
    [' 0 ', 0],
    ['99999999999999999999', 31_536_000_000],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    ['Fri, 06 Nov 2026 08:50:07 GMT', 30_000],
    ['Friday, 06-Nov-26 08:50:07 GMT', 30_000],
    ['Fri Nov  6 08:50:07 2026', 30_000],
    ['Fri, 06 Nov 2026 08:49:07 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Fri, 06 Nov 2026 24:50:07 GMT', null],
    ['Fri, 06 Now 2026 08:50:07 GMT', null],
    ['2026-11-06T08:50:07Z', null],
  ]
  it.each(cases)('%s', (value, expected) => {
    expect(retryAfterMs(value === undefined ? {} : { 'retry-after': value }, now)).toBe(expected)
  })

  it('counts a date from the clock of the target', () => {
    const headers = { 'retry-after': 'Fri, 06 Nov 2026 10:00:30 GMT', date: 'Fri, 06 Nov 2026 10:00:00 GMT' }
    expect(retryAfterMs(headers, now)).toBe(30_000)
  })
})
