import { expect, it } from 'vitest'
import { jsonText } from './json-text.ts'

it.each(['', 'a', '"quoted" \\ and\nbroken', 'x'.repeat(70_000), '😀é'.repeat(9)])(
  'a text is written as JSON',
  (text) => {
    for (const piece of [1, 2, 3, undefined])
      expect(JSON.parse([...jsonText(text, piece)].join(''))).toBe(text)
  },
)

it('a text is returned in pieces', () => {
  expect([...jsonText('x'.repeat(200_000))].every((part) => part.length <= 65_536)).toBe(true)
})
