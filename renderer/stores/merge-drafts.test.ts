// What two users typed in one draft: merged if they changed different places, decided by the users otherwise.
import { expect, it } from 'vitest'
import { mergeDrafts } from './merge-drafts.ts'

const text = (label: string, ...values: string[]): string =>
  `{ "type": "value_set", "key": "colour",\n  "label": "${label}",\n  "body": { "values": [${values.map((key) => `{ "key": "${key}", "label": "${key}" }`).join(', ')}] } }\n`

it('merges what only one of them changed, in the layout of theirs', () => {
  const joined = mergeDrafts('value_set', {
    base: text('Colour', 'red'),
    theirs: text('Colours', 'red'),
    mine: text('Colour', 'red', 'blue'),
  })
  expect(joined).toContain('  "label": "Colours",\n')
  expect(JSON.parse(joined!)).toEqual(JSON.parse(text('Colours', 'red', 'blue')))
})

it('takes theirs if I changed nothing', () => {
  const [base, theirs] = [text('Colour'), '{ half typed']
  expect(mergeDrafts('value_set', { base, theirs, mine: base })).toBe(theirs)
})

it.each([
  ['both changed one place', text('Colours'), text('Hue')],
  ['one of them is incomplete', text('Colours'), '{ half'],
])('leaves it to the user if %s', (_why, theirs, mine) => {
  expect(mergeDrafts('value_set', { base: text('Colour'), theirs, mine })).toBeNull()
})
