// The order in which names were typed does not matter; the order of a list does.
import { describe, expect, it } from 'vitest'
import { pretty } from './pretty.ts'

describe('pretty', () => {
  it('sorts names at every depth and keeps lists', () => {
    expect(pretty({ b: [{ z: 1, a: 2 }], a: null })).toBe(pretty({ a: null, b: [{ a: 2, z: 1 }] }))
    expect(pretty([2, 1])).not.toBe(pretty([1, 2]))
  })
  it('is empty for no value', () => expect(pretty(null)).toBe(''))
})
