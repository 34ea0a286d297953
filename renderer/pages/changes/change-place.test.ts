// Where a change shows: labels of the form and days as people write them, never names of properties.
import { expect, it } from 'vitest'
import { placeWords, sideWords } from './change-place.ts'

it.each([
  ['/body/effectiveTo', 'Last day'],
  ['/body/effectiveFrom', 'First day'],
  ['/body/values/rate', 'Values, rate'],
  ['/label', 'Label'],
])('the place %s of an entry is called %s', (path, words) => {
  expect(placeWords('config_entry', { path })).toBe(words)
})

it('names the item and the field of a list', () => {
  const path = '/body/fields/rate/asOfField'
  expect(placeWords('config_set', { path: '/body/fields/rate/precision' })).toBe('Fields, rate, Digits')
  expect(placeWords('config_set', { path, reordered: true })).toMatch(/^Order of Fields, rate/)
})

it('shows the last day that counts, and a flag as on or off', () => {
  const end = { path: '/body/effectiveTo', before: null, after: '2027-01-01' }
  expect([sideWords(end, 'before', false), sideWords(end, 'after', false)]).toEqual(['open', '31 Dec 2026'])
  const value = { path: '/body/default', before: true, after: false }
  expect([sideWords(value, 'before', true), sideWords(value, 'after', false)]).toEqual(['on', 'no'])
})
