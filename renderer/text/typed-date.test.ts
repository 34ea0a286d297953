import { describe, expect, it } from 'vitest'
import { readTypedDate, writesMonthFirst } from './typed-date.ts'

describe('a date as people write it', () => {
  it.each(['1.7.2027', '1 Jul 2027', '01. 07. 2027', 'July 1, 2027', '2027-7-1', '20270701', '2027-07-01'])(
    'reads %s as 1 July 2027, in every locale',
    (text) => {
      for (const monthFirst of [true, false])
        expect(readTypedDate(text, monthFirst)).toEqual({ date: '2027-07-01', other: null })
    },
  )

  it('reads a date with slashes in the order of the locale, and names the other reading', () => {
    expect(readTypedDate('07/01/2027', true)).toEqual({ date: '2027-07-01', other: '2027-01-07' })
    expect(readTypedDate('07/01/2027', false)).toEqual({ date: '2027-01-07', other: '2027-07-01' })
    expect(readTypedDate('31/01/2027', true)).toEqual({ date: '2027-01-31', other: null })
    expect([writesMonthFirst('en-US'), writesMonthFirst('en-GB'), writesMonthFirst('sv-SE')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each(['', 'soon', '31.2.2027', '1.7.27'])('does not read %s', (text) => {
    expect(readTypedDate(text, false).date).toBeNull()
  })
})
