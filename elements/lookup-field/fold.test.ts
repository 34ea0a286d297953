// Letters as people compare them, and the positions of matches in the text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, matches, wordsIn } from './fold.ts'

describe('foldText', () => {
  it.each([
    ['Tallinn Paber OÜ', 'tallinn paber ou'],
    ['Ørsted ÅÇÉ', 'orsted ace'],
    ['İzmir', 'izmir'],
    ['Straße', 'strasse'],
    ['Œuvre Ærø', 'oeuvre aero'],
    ['한국 हिन्दी', '한국 हिन्दी'],
    ['E\u0301lodie', 'elodie'],
    ['Ọ̀ṣun Ẹ́gbẹ́', 'osun egbe'],
    ['שָׁלוֹם مُحَمَّد', 'שלום محمد'],
  ])('%s is compared as %s', (text, plain) => expect(foldText(text)).toBe(plain))

  it('does not change folded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
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
    ['Große Straße', 'strasse gross', ['Groß', 'Straße']],
    ['Hans Œuvre', 'oeu', ['Œu']],
    ['Ọ̀ṣun Ẹ́gbẹ́', 'o egb', ['Ọ̀', 'Ẹ́gb']],
    ['straße', 'stras', ['straß']],
    ['Ab😀ß', '😀s', ['😀ß']],
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

  it('mark every word that the text contains, and nothing otherwise', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'ß', 's', 'Á', 'œ', '😀', ' '), maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (text, query) => {
        const marked = matches(text, query).map(([start, end]) => foldText(text.slice(start, end)))
        const has = wordsIn(query).filter((word) => foldText(text).includes(word))
        for (const word of has) expect(marked.some((each) => each.includes(word))).toBe(true)
        expect(marked.length > 0).toBe(has.length > 0)
      }),
    )
  })
})
