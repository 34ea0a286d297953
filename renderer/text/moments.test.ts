// Moments are shown and read in one time zone.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInstant } from '#kernel/expr/instant.ts'
import { longMoment, momentText, readMoment, zoneWords } from './moments.ts'

const newYork = 'America/New_York'

describe('a moment', () => {
  it.each([
    ['2026-01-31T23:30:00Z', newYork, '31 Jan 2026, 18:30', '2026-01-31 18:30'],
    ['2024-05-05T02:30:00Z', newYork, '4 May 2024, 22:30', '2024-05-04 22:30'],
    ['2026-07-01T12:00:05.25Z', 'Europe/Berlin', '1 Jul 2026, 14:00:05.25', '2026-07-01 14:00:05.25'],
    ['2026-01-31T12:00:00+02:00', 'UTC', '31 Jan 2026, 10:00', '2026-01-31 10:00'],
    ['noon', 'UTC', 'noon', 'noon'],
    // The clocks show 01:30 twice; the second one keeps its offset while it is edited.
    ['2026-11-01T05:30:00Z', newYork, '1 Nov 2026, 01:30', '2026-11-01 01:30'],
    ['2026-11-01T06:30:00Z', newYork, '1 Nov 2026, 01:30', '2026-11-01T06:30:00Z'],
  ])('%s is shown in %s as %s, and edited as %s', (instant, zone, shown, text) => {
    expect([longMoment(instant, zone), momentText(instant, zone)]).toEqual([shown, text])
  })

  it('is read back as the same moment in every zone', () => {
    const years = fc.integer({ min: Date.UTC(1900), max: Date.UTC(2100) })
    const zones = fc.constantFrom(newYork, 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')
    fc.assert(
      fc.property(years, zones, (at, zone) => {
        const instant = new Date(Math.floor(at / 1000) * 1000).toISOString()
        const read = readMoment(momentText(instant, zone), zone)
        expect('value' in read && read.value).toBe(parseInstant(instant)!.text)
      }),
    )
  })
})

describe('a typed moment', () => {
  it.each([
    ['2026-01-31 23:30', '2026-02-01T04:30:00Z'],
    ['2026-01-31T23:30', '2026-02-01T04:30:00Z'],
    ['2026-01-31 23:30:15.5', '2026-02-01T04:30:15.5Z'],
    ['31.1.2026 12:00', '2026-01-31T17:00:00Z'],
    ['31 Jan 2026, 12:00', '2026-01-31T17:00:00Z'],
    ['Jan 31, 2026 2:05 pm', '2026-01-31T19:05:00Z'],
    ['31/01/2026 12:30 AM', '2026-01-31T05:30:00Z'],
    ['1 Jul 2026 9pm', '2026-07-02T01:00:00Z'],
    ['2026-07-01', '2026-07-01T04:00:00Z'],
    ['2026-01-31 12:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:30+02:00', '2026-01-31T10:00:30Z'],
    ['0001-01-02 00:00 UTC', '0001-01-02T00:00:00Z'],
  ])('%s is read in the zone', (text, value) => {
    expect(readMoment(text, newYork)).toEqual({ value })
  })

  it('is read in the order of day and month that its column has', () => {
    const text = '01/02/2026 12:00'
    expect(readMoment(text, 'UTC', 'DD/MM/YYYY')).toEqual({ value: '2026-02-01T12:00:00Z' })
    expect(readMoment(text, 'UTC', 'MM/DD/YYYY')).toEqual({ value: '2026-01-02T12:00:00Z' })
  })

  it.each([
    ['noon', '“noon” is not a date and time: enter it as 2026-01-31 12:00.'],
    ['12:00', '“12:00” is not a date and time: enter it as 2026-01-31 12:00.'],
    ['2026-01-31 25:00', '“2026-01-31 25:00” has a time that does not exist: enter it as 2026-01-31 12:00.'],
    ['2026-02-30 12:00', '2026-02-30 is not a date: February 2026 has 28 days.'],
    [
      '01/02/2026 12:00',
      '“01/02/2026 12:00” can be read in two ways: enter 2026-02-01 12:00 or 2026-01-02 12:00.',
    ],
    [
      '2026-03-08 02:30',
      'The clocks skip 2026-03-08 02:30 in New York time: enter an earlier or a later time.',
    ],
  ])('%s is refused with a way to enter it', (text, fault) => {
    expect(readMoment(text, newYork)).toEqual({ fault })
  })
})

describe('a time zone', () => {
  it.each([
    ['America/New_York', 'New York time'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
    ['Etc/UTC', 'UTC'],
  ])('%s is called %s', (zone, words) => {
    expect(zoneWords(zone)).toBe(words)
  })
})
