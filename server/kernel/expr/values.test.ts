import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal } from '../decimal/decimal.ts'
import {
  compareText,
  exprValueFromField,
  exprValueToStored,
  toCanonicalJson,
  type StoredType,
} from './values.ts'

describe('values of fields', () => {
  it.each<[StoredType, unknown, string]>([
    ['number', '0.1900', '"0.19"'],
    ['number', '-0', '"0"'],
    ['text', '0.1900', '"0.1900"'],
    ['date', '2026-01-01', '"2026-01-01"'],
    ['datetime', '2026-01-01T00:30:00.500+01:00', '"2025-12-31T23:30:00.5Z"'],
    ['datetime', '2026-01-01T10:00Z', '"2026-01-01T10:00:00Z"'],
    ['boolean', false, 'false'],
    ['enum', 'EUR', '"EUR"'],
    ['reference', 'abc', '"abc"'],
    ['number', null, 'null'],
    ['text', undefined, 'null'],
  ])('%s %j has the bytes %s', (type, stored, bytes) => {
    expect(toCanonicalJson(exprValueFromField(type, stored))).toBe(bytes)
  })

  it.each<[StoredType, unknown, RegExp]>([
    ['number', '19%', /percent sign/],
    ['number', 0.19, /write it as a decimal string, "0.19"/],
    ['date', '2025-02-30', /February 2025 has 28 days/],
    ['datetime', '2026-01-01T10:00', /is not an instant/],
    ['boolean', 'true', /is not true or false/],
    ['text', 5, /is not a text/],
  ])('%s %j is refused', (type, stored, message) => {
    expect(() => exprValueFromField(type, stored)).toThrow(RangeError)
    expect(() => exprValueFromField(type, stored)).toThrow(message)
  })

  it('are stored rounded once, half-even, to their scale', () => {
    const store = (text: string, scale: number): unknown =>
      exprValueToStored(decimal(text), { type: 'number', precision: 8, scale })
    expect(store('0.125', 2)).toBe('0.12')
    expect(store('0.135', 2)).toBe('0.14')
    expect(store('2', 4)).toBe('2.0000')
    expect(store('-0.001', 2)).toBe('0.00')
    expect(() => store('1234567', 2)).toThrow(/does not fit numeric\(8, 2\)/)
    expect(() => exprValueToStored('5', { type: 'number', scale: 2 })).toThrow(/text "5" cannot be stored/)
    expect(exprValueToStored(null, { type: 'date' })).toBeNull()
  })

  it('are read as they were stored', () => {
    for (const [type, stored] of [
      ['date', '2026-01-01'],
      ['datetime', '2026-01-01T10:00:00Z'],
      ['boolean', true],
      ['text', 'x'],
    ] as const)
      expect(exprValueToStored(exprValueFromField(type, stored), { type })).toBe(stored)
  })

  it('order text by code point, as UTF-8 bytes do', () => {
    const bytes = (text: string): number[] => [...new TextEncoder().encode(text)]
    const order = (a: number[], b: number[]): number => {
      const at = a.findIndex((byte, index) => byte !== b[index])
      if (at < 0) return Math.sign(a.length - b.length)
      return b[at] === undefined || a[at]! > b[at]! ? 1 : -1
    }
    const text = fc.string({ unit: 'binary', maxLength: 6 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compareText(a, b)).toBe(order(bytes(a), bytes(b)))
      }),
    )
  })
})
