import { expect, it } from 'vitest'
import { plainWords, type PlaceNaming } from './plain-words.ts'
import { valueWords } from './words.ts'

/** Names a place by its last step, in angle brackets. */
const naming: PlaceNaming = {
  place: (path) => `<${path}>`,
  value: (_, value) => valueWords(value),
}
const entry = (rate: string, effectiveTo: string | null) => ({
  type: 'config_entry',
  body: { effectiveFrom: '2021-01-01', effectiveTo, values: { rate } },
})

it('lists the content of a component, place by place, without its type', () => {
  expect(plainWords(entry('0.1900', null), naming)).toBe(
    '</body/effectiveFrom>: 2021-01-01; </body/effectiveTo>: –; </body/values/rate>: 0.1900',
  )
})

it('lists only the differences from a second version', () => {
  expect(plainWords(entry('0.1900', null), naming, '', entry('0.1900', '2027-01-01'))).toBe(
    '</body/effectiveTo>: –',
  )
  const keyed = (key: string) => ({ key: `vat.${key}`, body: { key } })
  expect(plainWords(keyed('de'), naming, '', { ...keyed('de'), label: 'x' })).toBe(
    '</key>: vat.de; </body/key>: de',
  )
})

it('lists everything if nothing differs, and names items by their key', () => {
  const fields = [{ key: 'rate', type: 'number', values: [] }, { type: 'text' }]
  expect(plainWords(fields, naming, '/body/fields', fields)).toBe(
    '</body/fields/rate/key>: rate; </body/fields/rate/type>: number; </body/fields/rate/values>: none; ' +
      '</body/fields/2/type>: text',
  )
})

it('shows a list and a bare value', () => {
  expect([['a', 'b'], {}, true].map((value) => plainWords(value, naming))).toEqual(['a b', 'empty', 'yes'])
})
