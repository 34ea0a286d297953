import { describe, expect, it } from 'vitest'
import { component } from '../components/rule-fixture.ts'
import { hitPlaces, matchesWords, searchWords, textsOf, indexTextsOf } from './index.ts'

const fn = component('calc_function/gross_price', {
  params: [{ key: 'net', type: 'number' }],
  returns: 'number',
  expression: `${'net + '.repeat(40)}net * (1 + config.vat_rate("Österreich").rate)`,
})

it('words for an index are the texts that are searched for hits', () => {
  expect(indexTextsOf(fn)).toEqual(Array.from(textsOf(fn), ({ text }) => text))
})

describe('places of a hit', () => {
  it('are the key, and the text around the marked match', () => {
    const [key] = hitPlaces(fn, searchWords('Gross'))
    expect(key).toEqual({ path: '/key', excerpt: 'gross_price', marks: [[0, 5]] })
    const [place] = hitPlaces(fn, searchWords('osterr'))
    expect(place!.path).toBe('/body/expression')
    expect(place!.excerpt.startsWith('…')).toBe(true)
    const [[from, to]] = place!.marks as [[number, number]]
    expect(place!.excerpt.slice(from, to)).toBe('Österr')
  })

  it('are those with the most matching words', () => {
    expect(hitPlaces(fn, searchWords('vat rate')).map(({ path }) => path)).toEqual(['/body/expression'])
    expect(hitPlaces(fn, searchWords('none'))).toEqual([])
  })

  it('need every word to be the start of a word', () => {
    expect(matchesWords(['vat_rate.de', 'Germany'], searchWords('ger VAT'))).toBe(true)
    expect(matchesWords(['vat_rate.de', 'Germany'], searchWords('many'))).toBe(false)
  })
})
