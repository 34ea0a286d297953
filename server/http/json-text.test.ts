import { expect, it } from 'vitest'
import { inBlocks, jsonPieces, jsonRecord, jsonText } from './json-text.ts'

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

it.each([
  {},
  { a: 1 },
  { a: undefined, text: '"é\n'.repeat(50_000), b: [{ c: null }], d: undefined },
  { a: 'x', text: 'y'.repeat(200_000) },
])('a record is written as JSON, with long texts in pieces', (record) => {
  const pieces = [...jsonRecord(record)]
  expect(JSON.parse(pieces.join(''))).toEqual(JSON.parse(JSON.stringify(record)))
  expect(pieces.every((part) => part.length <= 140_000)).toBe(true)
})

it.each([
  ...[null, 1, 'text', [], {}, { a: undefined }, { a: {}, b: [] }],
  { 2: 'b', a: { '"': { c: [{ d: undefined }, 1], e: undefined } }, 1: 'a', __proto__: null, f: '\u2028' },
])('a value is written as JSON.stringify writes it, at any number of levels: %j', (value) => {
  for (const levels of [0, 1, 2, 3, 9])
    expect([...jsonPieces(value, levels)].join('')).toBe(JSON.stringify(value))
})

it('each member of the upper levels is apart', () => {
  const pieces = [...jsonPieces({ a: { b: { c: 1 } }, d: 2 }, 2)]
  expect(pieces).toEqual(['{"a":', '{"b":', '{"c":1}', '}', ',"d":', '2', '}'])
})

it('short parts are sent together, in their order', () => {
  expect([...inBlocks(['a', 'bc', '', 'd', 'efgh', 'i'], 3)]).toEqual(['abc', 'defgh', 'i'])
  expect([...inBlocks([])]).toEqual([])
})
