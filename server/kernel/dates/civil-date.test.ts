import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  compareDates,
  dateOf,
  dayOf,
  daysBetween,
  explainCivilDate,
  FIRST_DAY,
  formatLongDate,
  LAST_DAY,
  nextDay,
  parseCivilDate,
  parseInstantDate,
  previousDay,
  type CivilDate,
  type DayNumber,
  addMonths,
  civilDateReadings,
} from './civil-date.ts'

const date = (text: string): CivilDate => parseCivilDate(text) ?? expect.fail(`${text} is not a date`)
const anyDay = fc.integer({ min: FIRST_DAY, max: LAST_DAY }) as fc.Arbitrary<DayNumber>

describe('parseCivilDate', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '1968-07-01'])('accepts %s', (text) => {
    expect(parseCivilDate(text)).toBe(text)
  })

  it.each([
    '2025-02-29',
    '1900-02-29',
    '2025-02-30',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '0000-01-01',
    '2025-1-5',
    '2025-01-05 ',
    '+2025-01-5',
    '2025/01/05',
    '20250105',
    '2025-01-05T00',
    '２０２５-01-05',
    '2025-0x-01',
    '',
  ])('refuses "%s"', (text) => {
    expect(parseCivilDate(text)).toBeNull()
  })
})

describe('day numbers', () => {
  it('count from 1970-01-01', () => {
    expect(dayOf(date('1970-01-01'))).toBe(0)
    expect(dayOf(date('1969-12-31'))).toBe(-1)
    expect(dayOf(date('2000-03-01'))).toBe(11017)
    expect(dateOf(FIRST_DAY)).toBe('0001-01-01')
    expect(dateOf(LAST_DAY)).toBe('9999-12-31')
  })

  it('agree with the platform on every day of 1600 to 2400, and on random days', () => {
    const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)
    for (let day = dayOf(date('1600-01-01')); day <= dayOf(date('2400-12-31')); day++) {
      const text = iso(day)
      if (dateOf(day) !== text || dayOf(date(text)) !== day) expect.fail(`${text} is day ${day}`)
    }
    fc.assert(fc.property(anyDay, (day) => dateOf(day) === iso(day) && dayOf(date(iso(day))) === day))
  })

  it('refuse days outside of the calendar', () => {
    expect(() => dateOf((LAST_DAY + 1) as DayNumber)).toThrow(RangeError)
    expect(() => previousDay(date('0001-01-01'))).toThrow(RangeError)
    expect(() => dateOf(NaN as DayNumber)).toThrow(RangeError)
    expect(() => addDays(date('2025-01-01'), 0.5)).toThrow(RangeError)
    expect(() => addDays(date('9999-12-31'), 1)).toThrow(
      '1 days from 9999-12-31 is outside the years 0001 to 9999.',
    )
  })
})

describe('moving by days', () => {
  it('crosses months, years and leap days', () => {
    expect(nextDay(date('2024-02-28'))).toBe('2024-02-29')
    expect(nextDay(date('2025-12-31'))).toBe('2026-01-01')
    expect(previousDay(date('2025-03-01'))).toBe('2025-02-28')
    expect(addDays(date('2025-01-31'), 365)).toBe('2026-01-31')
    expect(daysBetween(date('2025-01-01'), date('2024-12-31'))).toBe(-1)
  })

  it('orders dates as their day numbers', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (a, b) => {
        expect(compareDates(dateOf(a), dateOf(b))).toBe(Math.sign(a - b))
        expect(daysBetween(dateOf(a), dateOf(b))).toBe(b - a)
        expect(addDays(dateOf(a), b - a)).toBe(dateOf(b))
      }),
    )
  })
})

describe('parseInstantDate', () => {
  it.each([
    ['2025-01-01T00:30:00+02:00', '2024-12-31'],
    ['2024-12-31T23:30:00.123-01:00', '2025-01-01'],
    ['2025-06-30T12:00:00Z', '2025-06-30'],
    ['2025-06-30t12:00z', '2025-06-30'],
    ['0001-01-01T00:00:00+01:00', null],
    ['9999-12-31T23:59:00-00:01', null],
    ['2025-06-30T12:00:00', null],
    ['2025-06-31T12:00:00Z', null],
    ['2025-06-30T24:00:00Z', null],
    ['2025-06-30T12:60:00Z', null],
    ['2025-06-30', null],
    ['today', null],
  ])('%s is on %s', (text, expected) => {
    expect(parseInstantDate(text)).toBe(expected)
  })
})

it('formatLongDate writes a date for a sentence', () => {
  expect(formatLongDate(date('2027-01-01'))).toBe('1 Jan 2027')
  expect(formatLongDate(date('0987-09-30'))).toBe('30 Sep 987')
})

describe('explainCivilDate', () => {
  it.each([
    ['2025-02-28', null],
    ['2025-02-30', '2025-02-30 is not a date: February 2025 has 28 days'],
    ['2025-13-01', '2025-13-01 is not a date: month 13 does not exist; months run from 01 to 12'],
    ['0000-01-01', '0000-01-01 is not a date: years run from 0001 to 9999'],
    ['2025-01-00', '2025-01-00 is not a date: days start at 01'],
    ['31.12.2025', '31.12.2025 is not ISO 8601: write 2025-12-31'],
    ['31.02.2025', '31.02.2025 is not a date: February 2025 has 28 days'],
    ['2025-1-5', '2025-1-5 is not ISO 8601: write 2025-01-05'],
    ['2025/01/05', '2025/01/05 is not ISO 8601: write 2025-01-05'],
    ['20250105', '20250105 is not ISO 8601: write 2025-01-05'],
    [' 2025-01-05', '2025-01-05 has spaces around it: write 2025-01-05'],
    ['2025-01-05T00:00:00Z', '2025-01-05T00:00:00Z has a time: write 2025-01-05'],
    ['12/31/2025', '12/31/2025 is not ISO 8601: write 2025-12-31'],
    ['03/04/2025', '03/04/2025 can be read in two ways: write 2025-04-03 or 2025-03-04'],
    ['04/04/2025', '04/04/2025 is not ISO 8601: write 2025-04-04'],
    ['31 Dec 2025', '31 Dec 2025 is not ISO 8601: write 2025-12-31'],
    ['September 1, 2025', 'September 1, 2025 is not ISO 8601: write 2025-09-01'],
    ['31 Foo 2025', '31 Foo 2025 is not a date: write it as 2025-12-31'],
    ['05.01.25', '05.01.25 is not a date: write it as 2025-12-31'],
    ['foo', '"foo" is not a date: write it as 2025-12-31'],
    ['september 1, 2025', '"september 1, 2025" is not ISO 8601: write 2025-09-01'],
    ['', 'a date is missing: write it as 2025-12-31'],
  ])('"%s" gives %s', (text, expected) => {
    expect(explainCivilDate(text)).toBe(expected)
  })

  it('returns null exactly if parseCivilDate accepts the text', () => {
    const nearly = fc.stringMatching(/^[0-9]{3,4}-[0-9]{1,2}-[0-9]{1,2}$/)
    fc.assert(
      fc.property(
        fc.oneof(nearly, fc.string()),
        (t) => (explainCivilDate(t) === null) === (parseCivilDate(t) !== null),
      ),
    )
  })
})

describe('civilDateReadings', () => {
  it.each([
    ['2025-12-31', ['2025-12-31']],
    ['31.12.2025', ['2025-12-31']],
    ['12/31/2025', ['2025-12-31']],
    ['03/04/2025', ['2025-04-03', '2025-03-04']],
    ['04/04/2025', ['2025-04-04']],
    ['31 Dec 2025', ['2025-12-31']],
    ['30.02.2025', []],
    ['soon', []],
    ['', []],
  ])('"%s" can be %j', (text, dates) => {
    expect(civilDateReadings(text)).toEqual(dates)
  })
})

describe('addMonths', () => {
  it.each([
    ['2025-01-31', 1, '2025-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2025-12-01', 1, '2026-01-01'],
    ['2025-01-15', -1, '2024-12-15'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2025-03-31', 0, '2025-03-31'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(addMonths(date(from), months)).toBe(to)
  })

  it('stays in the calendar', () => {
    expect(() => addMonths(date('9999-12-01'), 1)).toThrow(RangeError)
    expect(() => addMonths(date('0001-01-01'), -1)).toThrow(RangeError)
    expect(() => addMonths(date('2025-01-01'), 0.5)).toThrow(RangeError)
  })
})
