import fc from 'fast-check'
import { Decimal as DecimalJs } from 'decimal.js'
import { describe, expect, it } from 'vitest'
import {
  add,
  compareDecimal,
  decimal,
  decimalConstructor,
  DecimalTooLongError,
  divide,
  DivisionByZeroError,
  checkPrecision,
  formatDecimal,
  formatFixed,
  isDecimal,
  maxDecimal,
  minDecimal,
  multiply,
  negate,
  parseDecimal,
  roundHalfEven,
  subtract,
} from './decimal.ts'

const text = (value: ReturnType<typeof decimal>) => formatDecimal(value)

/** Integers over 10^scale, with BigInt as the reference. */
const anyScaled = fc.tuple(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), fc.nat(40))

function scaledText([units, scale]: readonly [bigint, number]): string {
  const digits = `${units < 0n ? -units : units}`.padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
}

describe('parseDecimal', () => {
  it.each([
    ['0.1900', '0.19'],
    ['-12.50', '-12.5'],
    ['007', '7'],
    ['-0', '0'],
    ['-0.000', '0'],
    ['100', '100'],
    ['0.00000000000000000001', '0.00000000000000000001'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
  ])('%s is %s', (input, output) => {
    expect(text(decimal(input))).toBe(output)
  })

  it.each([
    '',
    '-',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1e3',
    '0x10',
    '.5',
    '5.',
    '1,5',
    '1_000',
    '19%',
    '--1',
    '1.2.3',
    'NaN',
    'Infinity',
    '٣',
    '9'.repeat(1001),
  ])('refuses "%s"', (input) => {
    expect(parseDecimal(input)).toBeNull()
    expect(() => decimal(input)).toThrow(RangeError)
  })
})

describe('decimal', () => {
  it('accepts whole numbers and bigints, but not a binary fraction', () => {
    expect(text(decimal(-42))).toBe('-42')
    expect(text(decimal(2n ** 80n))).toBe('1208925819614629174706176')
    for (const binary of [0.1, NaN, Infinity, 2 ** 53]) expect(() => decimal(binary)).toThrow(RangeError)
  })

  it('is distinguished from other values, including those of other decimal.js constructors', () => {
    expect(isDecimal(decimal(1))).toBe(true)
    expect(isDecimal(divide(decimal(1), decimal(3)))).toBe(true)
    expect((decimal(1) as object).constructor).toBe(decimalConstructor)
    for (const other of [1, '1', null, {}, new DecimalJs(1)]) expect(isDecimal(other)).toBe(false)
  })
})

describe('arithmetic', () => {
  it('is exact where binary floats are not', () => {
    expect(text(add(decimal('0.1'), decimal('0.2')))).toBe('0.3')
    expect(text(multiply(decimal('1.1'), decimal('1.1')))).toBe('1.21')
    expect(text(subtract(decimal(1), decimal('0.9')))).toBe('0.1')
    expect(text(add(decimal('1' + '0'.repeat(50)), decimal('0.' + '0'.repeat(50) + '1')))).toBe(
      `1${'0'.repeat(50)}.${'0'.repeat(50)}1`,
    )
  })

  it('agrees with whole-number arithmetic', () => {
    fc.assert(
      fc.property(anyScaled, anyScaled, ([a, m], [b, n]) => {
        const [x, y] = [decimal(scaledText([a, m])), decimal(scaledText([b, n]))]
        const scale = Math.max(m, n)
        const [u, v] = [a * 10n ** BigInt(scale - m), b * 10n ** BigInt(scale - n)]
        expect(text(add(x, y))).toBe(text(decimal(scaledText([u + v, scale]))))
        expect(text(subtract(x, y))).toBe(text(decimal(scaledText([u - v, scale]))))
        expect(text(multiply(x, y))).toBe(text(decimal(scaledText([a * b, m + n]))))
        expect(compareDecimal(x, y)).toBe(u < v ? -1 : u > v ? 1 : 0)
        expect(text(minDecimal(x, y))).toBe(text(u <= v ? x : y))
        expect(text(maxDecimal(x, y))).toBe(text(u >= v ? x : y))
      }),
    )
  })

  it('divides to 34 significant digits, half-even', () => {
    expect(text(divide(decimal(1), decimal(3)))).toBe(`0.${'3'.repeat(34)}`)
    expect(text(divide(decimal(2), decimal(3)))).toBe(`0.${'6'.repeat(33)}7`)
    expect(text(divide(decimal(1), decimal(8)))).toBe('0.125')
    // A 35th digit of exactly 5 goes to the even neighbour.
    expect(text(divide(decimal(`1${'0'.repeat(32)}05`), decimal(10)))).toBe(`1${'0'.repeat(32)}0`)
    expect(text(divide(decimal(`1${'0'.repeat(32)}15`), decimal(10)))).toBe(`1${'0'.repeat(32)}2`)
  })

  it('refuses to divide by zero', () => {
    expect(() => divide(decimal('1.5'), decimal('-0.00'))).toThrow(DivisionByZeroError)
    expect(() => divide(decimal(0), decimal(0))).toThrow('0 cannot be divided by zero')
  })

  it('refuses results that cannot be exact', () => {
    const long = decimal('7'.repeat(1000))
    expect(text(multiply(long, decimal(1)))).toBe('7'.repeat(1000))
    const twice = multiply(long, decimal('9'.repeat(990)))
    expect(BigInt(text(twice))).toBe(BigInt('7'.repeat(1000)) * BigInt('9'.repeat(990)))
    expect(() => multiply(twice, long)).toThrow(DecimalTooLongError)
    const tiny = decimal(`0.${'0'.repeat(900)}1`)
    expect(() => multiply(multiply(tiny, tiny), tiny)).toThrow(DecimalTooLongError)
    expect(() => add(twice, tiny)).toThrow(DecimalTooLongError)
  })

  it('has one zero', () => {
    expect(text(negate(decimal(0)))).toBe('0')
    expect(compareDecimal(negate(decimal(0)), decimal(0))).toBe(0)
    expect(formatFixed(negate(decimal('0.001')), 2)).toBe('0.00')
  })
})

describe('rounding', () => {
  it.each([
    ['0.125', 2, '0.12'],
    ['0.135', 2, '0.14'],
    ['-0.125', 2, '-0.12'],
    ['2.5', 0, '2'],
    ['3.5', 0, '4'],
    ['1.005', 2, '1.00'],
    ['1.0051', 2, '1.01'],
    ['-0.004', 2, '0.00'],
    ['0.19', 4, '0.1900'],
    ['9.995', 2, '10.00'],
  ])('%s at scale %i is %s', (input, scale, output) => {
    expect(formatFixed(decimal(input), scale)).toBe(output)
    expect(compareDecimal(roundHalfEven(decimal(input), scale), decimal(output))).toBe(0)
  })

  it('stays within half a unit, and chooses the even one of two equally near values', () => {
    fc.assert(
      fc.property(anyScaled, fc.nat(45), (scaled, scale) => {
        const value = decimal(scaledText(scaled))
        const rounded = roundHalfEven(value, scale)
        const half = decimal(`0.${'0'.repeat(scale)}5`)
        const off = maxDecimal(subtract(value, rounded), subtract(rounded, value))
        expect(compareDecimal(off, half)).toBeLessThanOrEqual(0)
        if (compareDecimal(off, half) === 0) expect('02468').toContain(formatFixed(rounded, scale).at(-1))
        expect(formatFixed(value, scale)).toMatch(
          scale === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${scale}}$`),
        )
      }),
    )
  })
})

describe('fits', () => {
  it.each([
    ['99.9999', 6, 4, 'ok'],
    ['100', 6, 4, 'precision'],
    ['0.19000', 6, 4, 'ok'],
    ['0.00001', 6, 4, 'scale'],
    ['-99', 6, 4, 'ok'],
    ['0.19', 4, 4, 'ok'],
    ['1', 4, 4, 'precision'],
    ['0', 4, 4, 'ok'],
    ['007', 1, 0, 'ok'],
  ] as const)('%s as numeric(%i, %i): %s', (input, precision, scale, expected) => {
    expect(checkPrecision(decimal(input), precision, scale)).toBe(expected)
  })
})
