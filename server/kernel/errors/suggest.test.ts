import { describe, expect, it } from 'vitest'
import { suggest } from './suggest.ts'

describe('suggest', () => {
  it.each([
    ['vat_raet', ['vat_rate', 'price'], 'vat_rate'],
    ['VAT', ['vat'], 'vat'],
    ['zzzzzz', ['vat_rate'], null],
    ['x'.repeat(9), ['x'.repeat(3)], null],
  ])('suggests for %s from %j: %j', (given, known, found) => {
    expect(suggest(given, known)).toBe(found)
  })

  it('looks at a few thousand names at most', () => {
    let looked = 0
    const names = function* (): Iterable<string> {
      for (; looked < 1_000_000; looked += 1) yield `key_${looked}`
    }
    suggest('kez_000001', names())
    expect(looked).toBeGreaterThan(1000)
    expect(looked).toBeLessThan(25_000)
  })
})
