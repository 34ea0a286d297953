import { describe, expect, it } from 'vitest'
import { guessDelimiter } from './delimiter.ts'

const rows = ['Land;Satz;gültig ab', 'EE;26,00;01.07.2027', 'FR;20,50;01.07.2027', 'LT;22,0;01.02.2027']

describe('the delimiter of a text', () => {
  it.each([
    ['a title without a delimiter', ['Umsatzsteuersätze', ...rows], ';'],
    [
      'a title with a comma, as often as the decimals',
      ['Umsatzsteuersätze, Stand November 2026', ...rows],
      ';',
    ],
    ['a title that a spreadsheet filled up differently', ['Sätze, Stand November 2026;', ';', ...rows], ';'],
    ['no title', rows, ';'],
    ['commas and whole numbers', ['Rates of 2027', 'territory,rate', 'EE,26', 'FR,20'], ','],
    ['tabs', ['territory\trate', 'EE\t0,26', 'FR\t0,20'], '\t'],
    ['one column', ['territory', 'EE', 'FR'], ','],
  ])('with %s', (_, lines, delimiter) => {
    expect(guessDelimiter(lines.join('\r\n')).delimiter).toBe(delimiter)
  })

  it('is asked for if another one also fits, and otherwise not', () => {
    expect(guessDelimiter('a;b,c\n1;2,3').certain).toBe(false)
    expect(guessDelimiter('a,b\n1,2').certain).toBe(true)
  })
})
