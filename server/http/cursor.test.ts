import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from './cursor.ts'

describe('cursors', () => {
  it('are restored exactly, for their own query only', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (of, after, other) => {
        const cursor = encodeCursor(of, after)
        expect(decodeCursor(of, cursor)).toBe(after)
        if (other !== of) expect(() => decodeCursor(other, cursor)).toThrow(/does not belong/)
      }),
    )
  })

  it('are refused if they are not valid', () => {
    expect(decodeCursor('x', undefined)).toBeUndefined()
    for (const text of ['', 'x', 'bnVsbA', 'e30'])
      expect(() => decodeCursor('x', text)).toThrow(/does not belong/)
  })
})
