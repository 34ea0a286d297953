import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainExtent, jsonExtent } from './json-extent.ts'

/** By walking the value. */
function walked(value: unknown): { depth: number; values: number } {
  if (value === null || typeof value !== 'object') return { depth: 0, values: 1 }
  const below = Object.values(value).map(walked)
  return {
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
    values: 1 + below.reduce((sum, { values }) => sum + values, 0),
  }
}

describe('the extent of a JSON text', () => {
  it('is that of its value, but an empty list or object can count twice', () => {
    const space = fc.constantFrom(undefined, 1)
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), space, (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const { depth, values } = jsonExtent(text)
        const exact = walked(value)
        const empty = text.match(/\[\]|\{\}/g)?.length ?? 0
        expect(depth).toBe(exact.depth)
        expect(values).toBeGreaterThanOrEqual(exact.values)
        expect(values).toBeLessThanOrEqual(exact.values + empty)
      }),
    )
  })

  it.each([
    ['"[[,"', 0, 1],
    ['["a\\"[,", 1]', 1, 3],
    ['["a\\\\", [1]]', 2, 4],
    ['"[', 0, 1],
    ['', 0, 1],
  ])('of %s is %i levels and %i values', (text, depth, values) => {
    expect(jsonExtent(text)).toEqual({ depth, values })
  })

  it('is explained', () => {
    expect(explainExtent('[1,2]', 3)).toBeNull()
    expect(explainExtent('[1,2,3]', 3)).toBe('has more than 3 values')
    expect(explainExtent('['.repeat(201) + ']'.repeat(201), 1000)).toBe('is nested more than 200 levels deep')
    expect(explainExtent('['.repeat(200) + ']'.repeat(200), 1000)).toBeNull()
  })
})
