import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decimal,
  checkPrecision,
  formatFixed,
  normaliseNumber,
  parseDecimal,
  toPlainNumber,
} from './decimal.ts'

describe('normaliseNumber', () => {
  it.each([
    ['0.19', 6, 4, '0.1900'],
    ['0.190000', 6, 4, '0.1900'],
    ['-12', 6, 4, '-12.0000'],
    ['007.5', 6, 4, '7.5000'],
    ['-0', 6, 4, '0.0000'],
    ['-0.000', 6, 0, '0'],
    ['5.0', 3, 0, '5'],
    ['-0.5', 2, 1, '-0.5'],
    ['00', 2, 2, '0.00'],
    ['99999999999999999999999999999999999999', 38, 0, '99999999999999999999999999999999999999'],
  ])('%s as numeric(%i, %i) is %s', (input, precision, scale, text) => {
    expect(normaliseNumber(input, precision, scale)).toEqual({ ok: true, text })
  })

  it('reports how many digits are too many', () => {
    expect(normaliseNumber('123.5', 6, 4)).toEqual({
      ok: false,
      reason: 'precision',
      hint: '"123.5" has 3 digits before the decimal point; numeric(6, 4) allows 2. Write a smaller number or increase the field\'s precision.',
    })
    expect(normaliseNumber('0.12345', 6, 4)).toEqual({
      ok: false,
      reason: 'scale',
      hint: '"0.12345" has 5 digits after the decimal point; the field allows 4. Round it half-even to 0.1234, or increase the field\'s scale.',
    })
    expect(normaliseNumber('-99.995', 4, 2)).toEqual({
      ok: false,
      reason: 'scale',
      hint: '"-99.995" has 3 digits after the decimal point; the field allows 2. Rounded half-even, it is -100.00, which does not fit numeric(4, 2). Write a smaller number, or increase the field\'s precision and scale.',
    })
  })

  it.each([
    ['19%', 'Write 0.19 instead of "19%": a number cannot have a percent sign.'],
    ['7.7 %', 'Write 0.077 instead of "7.7 %": a number cannot have a percent sign.'],
    ['7,7%', 'Write 0.077 instead of "7,7%": a number cannot have a percent sign.'],
    ['1,000%', 'A number cannot have a percent sign: write 0.19 for 19 percent.'],
    ['0,19', 'Use a decimal point instead of a comma: write 0.19.'],
    ['0,190', 'Use a decimal point instead of a comma: write 0.190.'],
    ['1,000', '"1,000" can be read in two ways: write 1000 or 1.000.'],
    ['1,000.00', 'Remove the group separators: write 1000.00.'],
    ['1.000,00', 'Remove the group separators: write 1000.00.'],
    ['1,000,000', 'Remove the group separators: write 1000000.'],
    ["1'000.5", 'Remove the group separators: write 1000.5.'],
    ['1 000,5', 'Remove the group separators: write 1000.5.'],
    ['1\u00a0000', 'Remove the group separators: write 1000.'],
    ['1e3', 'Write 1000 instead of "1e3": a number cannot have an exponent.'],
    ['-1.9E-1', 'Write -0.19 instead of "-1.9E-1": a number cannot have an exponent.'],
    ['1e999', '"1e999" has an exponent: write all the digits.'],
    [' 5', 'Remove the spaces around the number: write 5.'],
    ['+5', 'Remove the plus sign: write 5.'],
    ['.5', 'A decimal point needs digits on both sides: write 0.5.'],
    ['-.5', 'A decimal point needs digits on both sides: write -0.5.'],
    ['5.', 'A decimal point needs digits on both sides: write 5.'],
    ['\u22125', 'Write the minus sign as a plain hyphen right before the digits: -5.'],
    ['€ 5.00', 'Write only the number, 5.00, without the currency.'],
    ['5 EUR', 'Write only the number, 5, without the currency.'],
    ['', 'A number is missing: write digits, such as 0.19.'],
    [
      'abc',
      '"abc" is not a number: write digits with an optional minus sign and a decimal point, such as 0.19.',
    ],
    [
      '1.2.3',
      '"1.2.3" is not a number: write digits with an optional minus sign and a decimal point, such as 0.19.',
    ],
    [
      'NaN',
      '"NaN" is not a number: write digits with an optional minus sign and a decimal point, such as 0.19.',
    ],
  ])('refuses "%s" with a fix', (input, hint) => {
    expect(normaliseNumber(input, 9, 4)).toEqual({ ok: false, reason: 'syntax', hint })
  })

  it('names a long text by its beginning', () => {
    const hint = `"${'x '.repeat(20)}…" is not a number: write digits with an optional minus sign and a decimal point, such as 0.19.`
    expect(normaliseNumber('x '.repeat(1_000_000), 9, 4)).toEqual({ ok: false, reason: 'syntax', hint })
  })

  it('agrees with the exact decimals, and does not change its result', () => {
    const plain = fc.stringMatching(/^-?[0-9]{1,6}(\.[0-9]{1,6})?$/)
    fc.assert(
      fc.property(plain, fc.nat(4), fc.nat(4), (text, whole, scale) => {
        const result = normaliseNumber(text, whole + scale, scale)
        const fit = checkPrecision(decimal(text), whole + scale, scale)
        expect(result.ok ? 'ok' : result.reason).toBe(fit)
        if (!result.ok) return
        expect(result.text).toBe(formatFixed(decimal(text), scale))
        expect(normaliseNumber(result.text, whole + scale, scale)).toEqual(result)
      }),
      { numRuns: 2000 },
    )
  })

  it('reports a syntax error exactly for a text that is not a plain decimal, and never throws', () => {
    const odd = fc.stringMatching(/^[-+ ]?[0-9.,'%eE ]{0,12}$/)
    fc.assert(
      fc.property(fc.oneof(odd, fc.string()), (text) => {
        const result = normaliseNumber(text, 40, 20)
        expect(!result.ok && result.reason === 'syntax').toBe(parseDecimal(text) === null)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('plainNumber', () => {
  it.each([
    ['0.19', '0.19'],
    [' 0.1900 ', '0.1900'],
    ['0,25', '0.25'],
    ['0,250', '0.250'],
    ['1250,5', '1250.5'],
    ['1.250,00', '1250.00'],
    ['1,250.00', '1250.00'],
    ['1,250,000', '1250000'],
    ["1'250.5", '1250.5'],
    ['1\u00a0250,5', '1250.5'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['+5', '5'],
    ['1,250', null],
    ['19 %', null],
    ['5 EUR', null],
    ['1e3', null],
    ['', null],
    ['--1', null],
  ])('reads "%s" as %s', (text, plain) => {
    expect(toPlainNumber(text)).toBe(plain)
  })

  it('returns only texts that parse, and a plain decimal unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+]?[0-9.,' ]{1,12}$/)), (text) => {
        const plain = toPlainNumber(text)
        if (plain !== null) expect(parseDecimal(plain)).not.toBeNull()
        if (parseDecimal(text) !== null) expect(plain).toBe(text)
      }),
    )
  })
})
