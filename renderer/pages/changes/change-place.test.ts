// The place of a change: labels of the form and dates as people write them, never names of properties.
import { expect, it } from 'vitest'
import {
  changeName,
  findingPlace,
  placedValueWords,
  placeWords,
  pointerWords,
  sideWords,
} from './change-place.ts'
import { plainWords } from '../../text/plain-words.ts'

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

it('shows the last day that is included, and a flag as on or off', () => {
  const end = { path: '/body/effectiveTo', before: null, after: '2027-01-01' }
  expect([sideWords(end, 'before', false), sideWords(end, 'after', false)]).toEqual(['open', '31 Dec 2026'])
  const value = { path: '/body/default', before: true, after: false }
  expect([sideWords(value, 'before', true), sideWords(value, 'after', false)]).toEqual(['on', 'no'])
})

it.each([
  [{ active: true, key: 'draft', label: 'Draft' }, 'active yes, key draft, label Draft'],
  [['org', 'environment'], 'org, environment'],
  [[], 'none'],
])('shows %j in words, without the signs of JSON', (after, words) => {
  const removed = { path: '/body/values/draft', before: after, after: undefined }
  expect([sideWords(removed, 'before', false), sideWords(removed, 'after', false)]).toEqual([words, '–'])
})

it('counts the items of a pointer if their keys are not known', () => {
  expect(pointerWords('config_set', '/body/fields/0/valueSet')).toBe('Fields, 1, Value set')
  expect(placeWords('config_set', { path: '' })).toBe('Everything')
})

it('shows a whole entry in the labels of its form, with dates as people write them', () => {
  const body = {
    set: 'vat_rate',
    effectiveFrom: '2021-01-01',
    effectiveTo: '2027-01-01',
    values: { rate: '0.19' },
  }
  const naming = {
    place: (path: string) => placeWords('config_entry', { path }),
    value: (path: string, value: unknown) => placedValueWords(path, value, false),
  }
  expect(plainWords({ type: 'config_entry', label: 'DE', body }, naming)).toBe(
    'Label: DE; Set or flag: vat_rate; First day: 1 Jan 2021; Last day: 31 Dec 2026; Values, rate: 0.19',
  )
})

it.each([
  ['from 1 Jan 2027', 'vat, DE, org, from 1 Jan 2027'],
  ['immediately', 'vat, DE, org'],
])('a change that takes effect %s is called %s', (takesEffect, name) => {
  expect(changeName({ title: 'vat, DE, org', takesEffect })).toBe(name)
})

it('names the component of a finding, and the place in it', () => {
  const component = 'config_set/vat_rate' as const
  expect(findingPlace({ component, path: '/body/fields/0/valueSet' })).toBe(
    'config_set/vat_rate, Fields, 1, Value set',
  )
  expect(findingPlace({ component, path: '' })).toBe('config_set/vat_rate')
})
