import { expect, it } from 'vitest'
import { plainWords } from './plain-words.ts'

const entry = (rate: string, effectiveTo: string | null) => ({
  type: 'config_entry',
  body: { effectiveFrom: '2021-01-01', effectiveTo, values: { rate } },
})

it('lists what a component holds, place by place', () => {
  expect(plainWords(entry('0.1900', null))).toBe(
    'type config_entry, effectiveFrom 2021-01-01, effectiveTo none, values.rate 0.1900',
  )
})

it('lists only what differs from a second version', () => {
  expect(plainWords(entry('0.1900', null), entry('0.1900', '2027-01-01'))).toBe('effectiveTo none')
  const keyed = (key: string) => ({ key: `vat.${key}`, body: { key } })
  expect(plainWords(keyed('de'), { ...keyed('de'), label: 'x' })).toBe('key vat.de, key de')
})

it('lists everything if nothing differs, and calls items by their key', () => {
  const fields = { fields: [{ key: 'rate', type: 'number', values: [] }, { type: 'text' }] }
  expect(plainWords(fields, fields)).toBe(
    'fields.rate.key rate, fields.rate.type number, fields.rate.values none, fields.2.type text',
  )
})

it('shows a list and a bare value', () => {
  expect([plainWords(['a', 'b']), plainWords({}), plainWords(true)]).toEqual(['a b', 'empty', 'yes'])
})
