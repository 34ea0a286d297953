import { describe, expect, it } from 'vitest'
import { dateFormats, readDate, type DateFormat } from './date-formats.ts'

describe('readDate', () => {
  it.each<[DateFormat, string, string]>([
    ['YYYY-MM-DD', '2027-07-01', '2027-07-01'],
    ['YYYY-MM-DD', '2027-7-1', '2027-07-01'],
    ['YYYY-MM-DD', '2027-07-01T00:00:00.000Z', '2027-07-01'],
    ['YYYY-MM-DD', '2027-07-01 00:00', '2027-07-01'],
    ['YYYY/MM/DD', '2027/7/1', '2027-07-01'],
    ['DD.MM.YYYY', '1.7.2027', '2027-07-01'],
    ['DD.MM.YYYY', '01.07.2027 00:00:00', '2027-07-01'],
    ['DD.MM.YYYY', '1. 7. 2027', '2027-07-01'],
    ['DD/MM/YYYY', '1/7/2027', '2027-07-01'],
    ['MM/DD/YYYY', '7/1/2027', '2027-07-01'],
    ['DD-MM-YYYY', '01-07-2027', '2027-07-01'],
    ['DD.MM.YY', '01.07.27', '2027-07-01'],
    ['DD.MM.YY', '01.07.69', '1969-07-01'],
    ['DD.MM.YY', '01.07.68', '2068-07-01'],
    ['D MMM YYYY', '1 Jul 2027', '2027-07-01'],
    ['D MMM YYYY', '1. Juli 2027', '2027-07-01'],
    ['D MMM YYYY', '1 juillet 2027', '2027-07-01'],
    ['D MMM YYYY', '1. März 2027', '2027-03-01'],
    ['D MMM YYYY', '1 de julio de 2027', '2027-07-01'],
    ['D MMM YYYY', '01-JUL-2027', '2027-07-01'],
    ['MMM D, YYYY', 'July 1, 2027', '2027-07-01'],
    ['YYYYMMDD', '20270701', '2027-07-01'],
  ])('%s reads %s', (format, cell, date) => {
    expect(readDate(cell, format)).toEqual({ ok: true, value: date })
  })

  it.each<[DateFormat, string]>([
    ['DD.MM.YYYY', '31.02.2027'],
    ['DD.MM.YYYY', '1.7.27'],
    ['YYYY-MM-DD', '2027-07-01T12:30:00'],
    ['D MMM YYYY', '1 Juk 2027'],
    ['MM/DD/YYYY', '31/12/2027'],
    ['DD.MM.YYYY', `${'1'.repeat(100_000)}.7.2027`],
  ])('%s refuses %s', (format, cell) => {
    expect(readDate(cell, format).ok).toBe(false)
  })

  it('has unambiguous forms, except for the order of day and month', () => {
    const forms = (cell: string) => dateFormats.filter((format) => readDate(cell, format).ok)
    expect(forms('01.07.2027')).toEqual(['DD.MM.YYYY'])
    expect(forms('2027-07-01')).toEqual(['YYYY-MM-DD'])
    expect(forms('01/07/2027')).toEqual(['DD/MM/YYYY', 'MM/DD/YYYY'])
  })
})
