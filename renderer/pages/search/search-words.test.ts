// The words of hits on the page.
import { expect, it } from 'vitest'
import type { SearchHit } from '../../api/search.ts'
import { groupHits, innerPlaces, namedParts, partsOf, placeWords } from './search-words.ts'

it('marks what was found', () => {
  const place = { path: '', excerpt: 'net * config.vat_rate', marks: [[13, 16] as [number, number]] }
  expect(partsOf(place)).toEqual([
    { text: 'net * config.', found: false },
    { text: 'vat', found: true },
    { text: '_rate', found: false },
  ])
  expect(partsOf({ path: '', excerpt: 'vat', marks: [[0, 3]] })).toEqual([{ text: 'vat', found: true }])
})

it('shows a place in words', () => {
  expect(placeWords('/body/fields/3/formula/expression')).toBe('fields, 4, formula, expression')
  expect(placeWords('/label')).toBe('label')
  expect(placeWords('/body/read/a~1b')).toBe('read, a/b')
})

it('groups by type, the type of the best hit first', () => {
  const hit = (id: string): SearchHit => ({ id, type: id.split('/')[0] }) as unknown as SearchHit
  const found = groupHits([hit('object/a'), hit('config_set/b'), hit('object/c')])
  expect(found.map(({ type, hits }) => [type, hits.length])).toEqual([
    ['object', 2],
    ['config_set', 1],
  ])
})

it('marks a name in place, and lists the other places', () => {
  const hit = {
    ...{ key: 'vat_rate', label: 'VAT' },
    places: [
      { path: '/key', excerpt: 'vat_rate', marks: [[0, 3]] },
      { path: '/body/set', excerpt: 'vat_rate', marks: [[0, 3]] },
    ],
  } as unknown as SearchHit
  expect(namedParts(hit, 'key').map(({ found }) => found)).toEqual([true, false])
  expect(namedParts(hit, 'label')).toEqual([{ text: 'VAT', found: false }])
  expect(innerPlaces(hit).map(({ path }) => path)).toEqual(['/body/set'])
})
