import { describe, expect, it } from 'vitest'
import { firstFault, placeOfPointer } from './text-place.ts'

const text =
  '{\n  "label": "Fee",\n  "body": { "fields": [\n    { "key": "a" },\n    { "key": "b/c~d" } ], "a/b": 1 }\n}\n'

describe('placeOfPointer', () => {
  it.each([
    ['', 1, 1],
    ['/label', 2, 3],
    ['/body/fields/1/key', 5, 7],
    ['/body/fields/1', 5, 5],
    ['/body/a~1b', 5, 27],
    ['/body/fields/7/key', 3, 13],
    ['/nothing', 1, 1],
  ])('%s is at line %i, column %i', (pointer, line, column) => {
    expect(placeOfPointer(text, pointer)).toEqual({ line, column })
  })

  it('returns the beginning of a text without a value', () => {
    expect(placeOfPointer('', '/label')).toEqual({ line: 1, column: 1 })
  })
})

describe('firstFault', () => {
  it.each([
    ['', 1, 1, /value is missing/],
    ['{\n "a": 1,\n}', 3, 1, /property name|value is missing/],
    ['{ "a": 1 "b": 2 }', 1, 10, /comma is missing/],
    ["{ 'a': 1 }", 1, 3, /double quotes/],
    ['{ "a": 1 // note\n}', 1, 10, /comment/],
    ['{ "a": 1 } x', 1, 12, /double quotes|something follows/],
    ['{ "a": [1, 2 }', 1, 14, /bracket|comma/],
  ])('returns the place and the reason in %j', (broken, line, column, reason) => {
    const fault = firstFault(broken)
    expect(fault).toMatchObject({ line, column })
    expect(fault.reason).toMatch(reason)
  })
})
