// Letters as people compare them; every place in the folded text is the same place in the text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folded, matches } from './fold.ts'

describe('folded', () => {
  it.each([
    ['Tallinn Paber OÜ', 'tallinn paber ou'],
    ['Ørsted ÅÇÉ', 'orsted ace'],
    ['İzmir', 'izmir'],
    ['straße', 'straße'],
  ])('%s is compared as %s', (text, plain) => expect(folded(text)).toBe(plain))

  it('is as long as the text, and folds no further', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(folded(text)).toHaveLength(text.length)
        expect(folded(folded(text))).toBe(folded(text))
      }),
    )
  })
})

describe('matches', () => {
  it.each<[string, string, string[]]>([
    ['Tallinn Paber', 'tal', ['Tal']],
    ['Metallbau', 'TAL', ['tal']],
    ['Portal Talia', 'tal', ['Tal']],
    ['Müller Österreich', 'oster mull', ['Müll', 'Öster']],
    ['abab', 'ab bab', ['abab']],
    ['anything', 'zzq', []],
    ['Große Łódź', 'lodz große', ['Große', 'Łódź']],
    ['<b>bold</b>', '<b>', ['<b>']],
  ])('of %s for %s', (text, query, found) => {
    expect(matches(text, query).map(([start, end]) => text.slice(start, end))).toEqual(found)
  })

  it('are ascending, apart and inside the text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'Á', ' '), maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (text, query) => {
        const places = matches(text, query).flat()
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        expect(new Set(places).size).toBe(places.length)
        expect(places.every((at) => at >= 0 && at <= text.length)).toBe(true)
      }),
    )
  })
})
