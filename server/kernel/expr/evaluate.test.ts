import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AlmanacError } from '../errors/almanac-error.ts'
import { decimal } from '../decimal/decimal.ts'
import { compileExpression } from './compile.ts'
import { evaluateSource, inputOf, playground, programOf, view } from './fixture.ts'
import { exprValueFromField, toCanonicalJson, valueToJson } from './values.ts'

type Row = [source: string, values: Record<string, string | boolean>, expected: unknown]

const table: Record<string, Row[]> = {
  'exact decimals': [
    ['0.1 + 0.2', {}, '0.3'],
    ['1.10 * 3', {}, '3.3'],
    ['99999999999999999999999999.01 + 0.09', {}, '99999999999999999999999999.1'],
    ['123456789012345678901234567890.123456789 * 10', {}, '1234567890123456789012345678901.23456789'],
    ['1 / 3', {}, '0.3333333333333333333333333333333333'],
    ['2 / 3', {}, '0.6666666666666666666666666666666667'],
    ['7 % 3', {}, '1'],
    ['-7 % 3', {}, '-1'],
    ['7.5 % 2', {}, '1.5'],
    ['-n', { n: '1.50' }, '-1.5'],
    ['0 * -1', {}, '0'],
    ['1.0 == 1.00', {}, true],
    ['n == 1', { n: '1.000' }, true],
    ['1 + 2 * 3 - 4 / 2', {}, '5'],
    ['(1 + 2) * 3', {}, '9'],
  ],
  comparison: [
    ['n > 1', { n: '1.0001' }, true],
    ['n <= 10 && n >= 9', { n: '9.5' }, true],
    ['d < date("2026-01-01")', { d: '2025-12-31' }, true],
    ['d == date("2025-12-31")', { d: '2025-12-31' }, true],
    ['t < "b"', { t: 'a' }, true],
    ['"Z" < "a"', {}, true],
    ['"\\uffff" < "\\U0001f600"', {}, true],
    ['at > at', { at: '2025-01-01T00:00:00Z' }, false],
    ['t == "DE"', { t: 'DE' }, true],
    ['t != "DE"', { t: 'AT' }, true],
    ['b == true', { b: true }, true],
    ['t in ["DE", "AT"]', { t: 'AT' }, true],
    ['n in [1, 2.0]', { n: '2' }, true],
    ['t in []', { t: 'AT' }, false],
  ],
  'logic and choice': [
    ['b ? 1 : 2', { b: true }, '1'],
    ['b ? 1 : 2', { b: false }, '2'],
    ['b ? n : null', { b: false, n: '1' }, null],
    ['true || 1 / (n - n) > 0', { n: '1' }, true],
    ['false && 1 / (n - n) > 0', { n: '1' }, false],
    ['1 / (n - n) > 0 || true', { n: '1' }, true],
    ['1 / (n - n) > 0 && n == 0', { n: '1' }, false],
    ['[1, 2, 3].all(x, 6 / (n - x) == 6)', { n: '2' }, false],
    ['[2, 1].exists(x, 6 / (n - x) == 6)', { n: '2' }, true],
  ],
  text: [
    ['"a" + t', { t: 'b' }, 'ab'],
    ['t.contains("mb")', { t: 'GmbH' }, true],
    ['t.startsWith("G") && t.endsWith("H")', { t: 'GmbH' }, true],
    ['t.matches("^DE[0-9]{9}$")', { t: 'DE123456789' }, true],
    ['t.matches("^DE[0-9]{9}$")', { t: 'DE12345678' }, false],
    ['size(t)', { t: 'a😀' }, '2'],
    ['t.size()', { t: '' }, '0'],
    ['t.lower() + t.upper()', { t: 'aB' }, 'abAB'],
    ['t.trim()', { t: ' x ' }, 'x'],
    ['t.substring(1)', { t: 'a😀b' }, '😀b'],
    ['t.substring(0, 2)', { t: 'DE123' }, 'DE'],
    ['t.substring(3, 99)', { t: 'DE123' }, '23'],
    ['text(n) + text(b) + text(d)', { n: '1.50', b: true, d: '2026-01-01' }, '1.5true2026-01-01'],
    ['number("12.50") + 1', {}, '13.5'],
    ['number("12,50")', {}, null],
  ],
  numbers: [
    ['round(2.5)', {}, '2'],
    ['round(3.5)', {}, '4'],
    ['round(-2.5)', {}, '-2'],
    ['round(1.005, 2)', {}, '1'],
    ['round(1.015, 2)', {}, '1.02'],
    ['floor(-1.5)', {}, '-2'],
    ['ceil(-1.5)', {}, '-1'],
    ['abs(-1.5)', {}, '1.5'],
    ['min(3, 1, 2)', {}, '1'],
    ['max(3, n)', { n: '3.5' }, '3.5'],
  ],
  dates: [
    ['year(d) * 10000 + month(d) * 100 + day(d)', { d: '2026-03-09' }, '20260309'],
    ['addDays(d, 1)', { d: '2024-02-28' }, '2024-02-29'],
    ['addDays(d, -1)', { d: '2026-01-01' }, '2025-12-31'],
    ['addMonths(d, 1)', { d: '2025-01-31' }, '2025-02-28'],
    ['addMonths(d, -13)', { d: '2025-01-31' }, '2023-12-31'],
    ['daysBetween(d, date("2026-01-01"))', { d: '2025-12-31' }, '1'],
    ['date(at)', { at: '2026-01-01T00:30:00+01:00' }, '2025-12-31'],
    ['date(t)', { t: '2025-02-30' }, null],
    ['max(d, date("2026-01-01"))', { d: '2025-12-31' }, '2026-01-01'],
  ],
  lists: [
    ['[1, 2, 3].all(x, x > 0)', {}, true],
    ['[1, 2, 3].exists(x, x > n)', { n: '2' }, true],
    ['[1, 2, 2].exists_one(x, x == 2)', {}, false],
    ['[1, 2, 3].filter(x, x % 2 == 1)', {}, ['1', '3']],
    ['[1, 2, 3].map(x, x * x)', {}, ['1', '4', '9']],
    ['[1, 2, 3].map(x, x > 1, x * 10)', {}, ['20', '30']],
    ['[1, 2].map(x, [3, 4].exists(y, y == x + 2))', {}, [true, true]],
    ['size([1, 2])', {}, '2'],
  ],
}

for (const [title, rows] of Object.entries(table))
  describe(title, () => {
    it.each(rows)('%s with %j is %j', (source, values, expected) => {
      expect(evaluateSource(source, values)).toEqual(expected)
    })
  })

describe('a missing value', () => {
  it.each<[string, unknown]>([
    ['n + 1', null],
    ['1 - n', null],
    ['-n', null],
    ['n * 0', null],
    ['n / 0.5', null],
    ['t + "x"', null],
    ['n == 1', false],
    ['n != 1', false],
    ['n == m', false],
    ['n > 1', false],
    ['n <= 1', false],
    ['!(n > 1)', true],
    ['!(n == 1)', true],
    ['!(n != 1)', true],
    ['t == "x" || t != "x"', false],
    ['n in [1, 2]', false],
    ['!(n in [1, 2])', true],
    ['1 in [n, 1]', true],
    ['b', null],
    ['!b', true],
    ['b && true', false],
    ['b || true', true],
    ['b || false', false],
    ['b ? 1 : 2', '2'],
    ['b == false', false],
    ['present(n)', false],
    ['!present(n)', true],
    ['coalesce(n, m, 3)', '3'],
    ['coalesce(n, m)', null],
    ['t.contains("x")', false],
    ['!t.contains("x")', true],
    ['"x".contains(t)', false],
    ['t.matches("x")', false],
    ['t.lower()', null],
    ['size(t)', null],
    ['round(n, 2)', null],
    ['min(n, 1)', null],
    ['year(d)', null],
    ['addDays(d, 1)', null],
    ['date(t)', null],
    ['text(n)', null],
  ])('%s is %j', (source, expected) => {
    expect(evaluateSource(source)).toEqual(expected)
  })

  it('differs from empty text and from false', () => {
    expect(evaluateSource('present(t)', { t: '' })).toBe(true)
    expect(evaluateSource('present(b)', { b: false })).toBe(true)
  })
})

describe('configuration', () => {
  const rows = {
    'vat_rate/DE': { rate: exprValueFromField('number', '0.1900') },
    limits: { credit: decimal('500') },
  }
  const run = (source: string, values = {}): unknown =>
    valueToJson(programOf(compileExpression(source, playground, view)).evaluate(inputOf(values, rows)))

  it.each<[string, Record<string, string>, unknown]>([
    ['n * config.vat_rate(t).rate', { n: '100', t: 'DE' }, '19'],
    ['config.limits.credit', {}, '500'],
    ['config.limits.since', {}, null],
    ['config.vat_rate(t).rate', {}, null],
    ['gross(n, "DE")', { n: '100.10' }, '119.12'],
    ['gross(n, "DE")', {}, null],
    ['flag.reverse_charge && !flag.beta', {}, true],
  ])('%s with %j is %j', (source, values, expected) => {
    expect(run(source, values)).toEqual(expected)
  })

  it('passes arguments of a calc function by position, separate from the variables of its caller', () => {
    expect(run('[1, 2].map(x, gross(x * 100, "DE"))')).toEqual(['119', '238'])
  })

  it('passes on an error of the input', () => {
    const program = programOf(compileExpression('1 + config.limits.credit', playground, view))
    const error = new AlmanacError('config.no_entry', 'none')
    const input = {
      ...inputOf(),
      configRow: () => {
        throw error
      },
    }
    expect(() => program.evaluate(input)).toThrow(error)
  })
})

describe('an evaluation that fails', () => {
  it.each<[string, Record<string, string>, string]>([
    ['1 + n / (n - n)', { n: '5' }, '5 cannot be divided by zero. This is at characters 10 to 14: n - n'],
    ['n % m', { n: '5', m: '0' }, '5 cannot be divided by zero.'],
    ['round(n, m)', { n: '5', m: '1.5' }, 'round takes a whole number from 0 to 100, not 1.5.'],
    ['addDays(d, n)', { d: '9999-12-31', n: '1' }, 'outside the years 0001 to 9999'],
    ['addMonths(d, n)', { d: '9999-12-31', n: '1' }, 'outside the years 0001 to 9999'],
  ])('%s with %j names the place', (source, values, message) => {
    const program = programOf(compileExpression(source, playground, view))
    const attempt = (): unknown => program.evaluate(inputOf(values))
    expect(attempt).toThrow(AlmanacError)
    expect(attempt).toThrow(message)
  })

  it('is named inside a calc function too', () => {
    const program = programOf(compileExpression('gross(n, "DE")', playground, view))
    const rows = { 'vat_rate/DE': { rate: decimal(`0.${'0'.repeat(990)}1`) } }
    const values = { n: `${'9'.repeat(900)}.${'9'.repeat(90)}` }
    const squared = programOf(compileExpression('gross(n * n, "DE")', playground, view))
    expect(program.evaluate(inputOf(values, rows))).not.toBeNull()
    expect(() => squared.evaluate(inputOf(values, rows))).toThrow(
      /of calc function gross: net \* \(1 \+ config/,
    )
  })
})

describe('properties', () => {
  /** An exact rational, as numerator over a power of ten. */
  const amount = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  const text = ([digits, scale]: [bigint, number]): string => {
    const [sign, all] = [
      digits < 0n ? '-' : '',
      String(digits < 0n ? -digits : digits).padStart(scale + 1, '0'),
    ]
    return scale === 0 ? sign + all : `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`
  }
  const shortest = (digits: bigint, scale: number): string => {
    const plain = text([digits, scale])
    const trimmed = scale === 0 ? plain : plain.replace(/\.?0+$/, '')
    return trimmed === '-0' ? '0' : trimmed
  }

  it.each(['+', '-', '*'])('n %s m is exact', (operator) => {
    fc.assert(
      fc.property(amount, amount, ([a, s], [b, r]) => {
        const [x, y] = [a * 10n ** BigInt(r), b * 10n ** BigInt(s)]
        const [digits, scale] = operator === '*' ? [a * b, s + r] : [operator === '+' ? x + y : x - y, s + r]
        expect(evaluateSource(`n ${operator} m`, { n: text([a, s]), m: text([b, r]) })).toBe(
          shortest(digits, scale),
        )
      }),
    )
  })

  it('n / m is within half a unit of the 34th digit', () => {
    fc.assert(
      fc.property(amount, amount, ([a, s], [b, r]) => {
        fc.pre(b !== 0n && a !== 0n)
        const quotient = evaluateSource('n / m', { n: text([a, s]), m: text([b, r]) }) as string
        const significant = quotient.replace(/[-.]/g, '').replace(/^0+/, '')
        expect(significant.length).toBeLessThanOrEqual(34)
        // Trailing zeros are not written, so the digits are padded to 34; then |q - n/m| is at most half of the last.
        const filled = BigInt(34 - significant.length)
        const [whole = '0', fraction = ''] = quotient.replace('-', '').split('.')
        const q = BigInt(whole + fraction) * 10n ** filled
        const exponent = BigInt(fraction.length) + filled
        const abs = (v: bigint): bigint => (v < 0n ? -v : v)
        const difference = abs(abs(a) * 10n ** (BigInt(r) + exponent) - q * abs(b) * 10n ** BigInt(s))
        expect(difference * 2n <= abs(b) * 10n ** BigInt(s)).toBe(true)
      }),
    )
  })

  it('a literal and the same input are one value of any length', () => {
    fc.assert(
      fc.property(amount, (a) => {
        const written = text(a)
        expect(
          evaluateSource(written.startsWith('-') ? `(${written}) == n` : `${written} == n`, { n: written }),
        ).toBe(true)
      }),
    )
  })

  it('exactly one of <, ==, > is true for two values, and none if one is missing', () => {
    const program = programOf(compileExpression('[n < m, n == m, n > m]', playground, view))
    fc.assert(
      fc.property(fc.option(amount), amount, (a, b) => {
        const values = { n: a === null ? null : text(a), m: text(b) }
        const holds = valueToJson(program.evaluate(inputOf(values))) as boolean[]
        expect(holds.filter(Boolean).length).toBe(a === null ? 0 : 1)
      }),
    )
  })

  it('gives the same bytes every time', () => {
    const program = programOf(compileExpression('n / 7', playground, view))
    const bytes = toCanonicalJson(program.evaluate(inputOf({ n: '100.10' })))
    expect(bytes).toBe('"14.3"')
    expect(toCanonicalJson(program.evaluate(inputOf({ n: '100.1000' })))).toBe(bytes)
  })
})
