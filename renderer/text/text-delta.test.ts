// Replacing the range gives the other text; an equal text needs no replacement.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deltaOf } from './text-delta.ts'

describe('deltaOf', () => {
  it('returns only the range that differs', () => {
    expect(deltaOf('{"rate":"0.19"}', '{"rate":"0.21"}')).toEqual({ start: 11, end: 13, text: '21' })
  })

  it('turns any text into any other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const delta = deltaOf(before, after)
        if (before === after) expect(delta).toBeNull()
        else expect(before.slice(0, delta!.start) + delta!.text + before.slice(delta!.end)).toBe(after)
      }),
    )
  })
})
