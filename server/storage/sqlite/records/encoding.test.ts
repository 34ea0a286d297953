// Every value comes back as it was, and the stored values sort as the values do.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDecimal, parseDecimal } from '#kernel/decimal/decimal.ts'
import { parseInstant } from '#kernel/expr/index.ts'
import type { FieldId } from '#kernel/records/index.ts'
import type { RecordColumn } from '../../../ports/record-table.ts'
import { encodingOf, type SqlValue } from './encoding.ts'

const columnOf = (more: Partial<RecordColumn>): RecordColumn => ({
  id: 1 as FieldId,
  type: 'text',
  indexed: false,
  searched: false,
  bound: false,
  ...more,
})

const compare = (a: SqlValue, b: SqlValue): number => (a! < b! ? -1 : a! > b! ? 1 : 0)

const numberShape = fc
  .tuple(fc.integer({ min: 1, max: 38 }), fc.integer({ min: 0, max: 38 }))
  .filter(([precision, scale]) => scale <= precision)

const numbersOf = ([precision, scale]: [number, number]): fc.Arbitrary<string> =>
  fc.bigInt({ min: -(10n ** BigInt(precision)) + 1n, max: 10n ** BigInt(precision) - 1n }).map((unscaled) => {
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
    const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
    return `${unscaled < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`
  })

describe('a stored value', () => {
  it('of a number is exact and sorts as the number', () => {
    const cases = numberShape.chain((shape) =>
      fc.tuple(fc.constant(shape), numbersOf(shape), numbersOf(shape)),
    )
    fc.assert(
      fc.property(cases, ([[precision, scale], a, b]) => {
        const { encode, decode } = encodingOf(columnOf({ type: 'number', precision, scale }))
        expect(decode(encode(a))).toBe(a)
        expect(compare(encode(a), encode(b))).toBe(compareDecimal(parseDecimal(a)!, parseDecimal(b)!))
      }),
    )
  })

  it('of an instant is exact and sorts chronologically', () => {
    const instants = fc
      .tuple(
        fc.date({
          min: new Date('0001-01-02T00:00:00Z'),
          max: new Date('9999-12-30T00:00:00Z'),
          noInvalidDate: true,
        }),
        fc.integer({ min: 0, max: 999_999 }),
      )
      .map(
        ([date, rest]) =>
          parseInstant(date.toISOString().replace('Z', `${String(rest).padStart(6, '0')}Z`))!.text,
      )
    const { encode, decode } = encodingOf(columnOf({ type: 'datetime' }))
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        expect(decode(encode(a))).toBe(a)
        expect(compare(encode(a), encode(b))).toBe(
          Math.sign(parseInstant(a)!.order.localeCompare(parseInstant(b)!.order, 'en')),
        )
      }),
    )
  })

  it.each([
    [columnOf({ type: 'boolean' }), true],
    [columnOf({ type: 'boolean' }), false],
    [columnOf({ type: 'text' }), ''],
    [columnOf({ type: 'date' }), '2024-02-29'],
    [columnOf({ type: 'number', precision: 4, scale: 4 }), '-0.0001'],
    [columnOf({ type: 'number', precision: 4, scale: 0 }), null],
  ])('of %o is %s again', (column, value) => {
    const { encode, decode } = encodingOf(column)
    expect(decode(encode(value))).toBe(value)
  })
})
