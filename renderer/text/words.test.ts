// The last day is the day before the range ends.
import { describe, expect, it } from 'vitest'
import {
  budgetWords,
  bytesWords,
  growthWords,
  count,
  dayFault,
  pastDayFault,
  lastDay,
  longDate,
  scopeWords,
  formatCanonicalValue,
  valueWords,
} from './words.ts'

describe('words', () => {
  it('writes the last day that is included', () => {
    expect(lastDay('2027-01-01')).toBe('2026-12-31')
    expect(lastDay('2024-03-01')).toBe('2024-02-29')
    expect(lastDay(null)).toBe('open')
    expect(lastDay('soon')).toBe('soon')
  })

  it('explains why a day does not exist', () => {
    expect(dayFault('foo')).toBe('"foo" is not a date: write it as 2025-12-31.')
    expect(dayFault('2021-02-30')).toBe('2021-02-30 is not a date: February 2021 has 28 days.')
    expect(dayFault('2021-02-28')).toBeNull()
    expect(pastDayFault('2021-02-30', '2021-02-01')).toBe(dayFault('2021-02-30'))
    expect(pastDayFault('2021-02-28', '2021-03-01')).toBe(
      '28 Feb 2021 is in the past. Choose today or a later day.',
    )
    expect(pastDayFault('2021-03-01', '2021-03-01')).toBeNull()
  })

  it('writes a date for a sentence', () => {
    expect(longDate('2027-01-01')).toBe('1 Jan 2027')
    expect(longDate('2027-02-30')).toBe('2027-02-30')
  })

  it('writes a scope, a value and a count', () => {
    expect(scopeWords({ kind: 'org' })).toBe('org')
    expect(scopeWords({ kind: 'permission_set', permissionSet: 'tax' })).toBe('permission set, tax')
    expect(scopeWords('app=catering')).toBe('app, catering')
    expect(formatCanonicalValue('"159.60"')).toBe('159.60')
    expect(formatCanonicalValue('true')).toBe('true')
    expect(valueWords(true)).toBe('yes')
    expect(count(1, 'draft')).toBe('1 draft')
    expect(count(1200, 'entry', 'entries')).toBe('1,200 entries')
    expect(bytesWords(11 * 1024)).toBe('11 KiB')
    const budget = { used: 2048, added: 96, left: 1024 * 1024 }
    expect(budgetWords(budget)).toBe('Slices: 2 KiB used, 96 B added, 1 MiB left.')
    expect(budgetWords({ ...budget, added: 0 })).toBe('Slices: 2 KiB used, 1 MiB left.')
    expect([growthWords(96), growthWords(-96), growthWords(0)]).toEqual([
      '96 B more than now',
      '96 B less than now',
      'The same size as now',
    ])
    expect(budgetWords({ ...budget, added: -96 })).toContain('96 B freed')
  })
})
