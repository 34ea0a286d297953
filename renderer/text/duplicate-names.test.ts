import { describe, expect, it } from 'vitest'
import { findDuplicateNames } from './duplicate-names.ts'

const paths = (text: string): string[] => findDuplicateNames(text).map(({ path }) => path)

describe('names that occur twice', () => {
  it('are found at any depth, by their earlier occurrences', () => {
    const text = '{ "a": [{ "x/y": 1, "x/y": 2, "z": 3 }], "b": { "a": 1 }, "c": 1, "c": 2, "c": 3 }'
    expect(paths(text)).toEqual(['/a/0/x~1y', '/c', '/c'])
    const [first] = findDuplicateNames(text)
    expect(first!.earlier.offset).toBe(text.indexOf('"x/y"'))
    expect(first!.last.offset).toBe(text.lastIndexOf('"x/y"'))
  })

  it('find one name in two spellings, and nothing in a text without duplicates', () => {
    expect(paths('{ "a": 1, "\\u0061": 2 }')).toEqual(['/a'])
    expect(paths('{ "a": 1, "b": { "a": 2 } }')).toEqual([])
    for (const half of ['', '{', '{ "a": , "a"', '[']) expect(() => findDuplicateNames(half)).not.toThrow()
  })
})
