import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorPlace, cursorText } from './cursor.ts'

describe('cursors', () => {
  it('return to their place, for their own query only', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (of, after, other) => {
        const cursor = cursorText(of, after)
        expect(cursorPlace(of, cursor)).toBe(after)
        if (other !== of) expect(() => cursorPlace(other, cursor)).toThrow(/does not belong/)
      }),
    )
  })

  it('are refused if they are not cursors', () => {
    expect(cursorPlace('x', undefined)).toBeUndefined()
    for (const text of ['', 'x', 'bnVsbA', 'e30'])
      expect(() => cursorPlace('x', text)).toThrow(/does not belong/)
  })
})
