// Finds the place of a finding's pointer in the text, by position or by key.
import { describe, expect, it } from 'vitest'
import { rangeOf } from './pointer-range.ts'

const text = '{ "body": { "fields": [ { "key": "rate", "scale": 4 } ], "1": "one" } }'
const at = (pointer: string): string => {
  const { start, end } = rangeOf(text, pointer)
  return text.slice(start, end)
}

describe('rangeOf', () => {
  it('finds a value by position and by key', () => {
    expect(at('/body/fields/0/scale')).toBe('4')
    expect(at('/body/fields/rate/scale')).toBe('4')
  })

  it('reads digits as a name inside an object', () => expect(at('/body/1')).toBe('"one"'))

  it('finds the occurrence that is used if a name is written twice', () => {
    const twice = '{ "a": 1, "a": 2 }'
    const { start, end } = rangeOf(twice, '/a')
    expect(twice.slice(start, end)).toBe('2')
  })

  it('returns the nearest parent of a place that does not exist', () => {
    expect(at('/body/fields/rate/valueSet')).toBe('{ "key": "rate", "scale": 4 }')
    expect(at('/nothing')).toBe('{')
  })
})
