// The published cases of decimal arithmetic for 34 digits (decQuad), for the operations that Almanac has. Almanac adds,
// subtracts and multiplies exactly, so its result is rounded to 34 digits, half-even, before it is compared.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  add,
  compareDecimal,
  decimal,
  divide,
  formatDecimal,
  maxDecimal,
  minDecimal,
  multiply,
  negate,
  parseDecimal,
  roundHalfEven,
  subtract,
  type Decimal,
} from '#kernel/decimal/decimal.ts'
import { absDecimal, remainder } from '#kernel/decimal/integers.ts'

/** Where Debian installs them (libpython3.11-testsuite). */
const folder = '/usr/lib/python3.11/test/decimaltestdata'

type Operation = (a: Decimal, b: Decimal) => Decimal

const operations: Readonly<Record<string, Operation>> = {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  abs: absDecimal,
  minus: negate,
  compare: (a, b) => decimal(compareDecimal(a, b)),
  min: minDecimal,
  max: maxDecimal,
  /** To the number of decimals of the second operand. */
  quantize: (a, b) => roundHalfEven(a, Math.max(0, -exponents.get(b)!)),
}

const reasons = {
  notFinite: 'a value or the result is NaN, an infinity, or text that is not a number',
  tooLong: 'a value or the result has more than 900 digits in plain notation',
  outOfRange: 'the exponent of the result is out of the range of the format, which Almanac does not have',
  rounding: 'an inexact result in a rounding other than half-even',
  tens: 'rounded to tens or more, which Almanac does not do',
  unknown: 'an operation that Almanac does not have',
} as const

/** How many cases of each file are run, and how many are left out, by reason. */
const expected: Readonly<
  Record<string, { run: number; left: Partial<Record<keyof typeof reasons, number>> }>
> = {
  Add: { run: 762, left: { tooLong: 45, notFinite: 93, rounding: 110, unknown: 2 } },
  Subtract: { run: 362, left: { notFinite: 86, rounding: 72 } },
  Multiply: { run: 261, left: { tooLong: 93, notFinite: 118 } },
  Divide: { run: 439, left: { tooLong: 86, notFinite: 158, rounding: 5 } },
  Remainder: { run: 356, left: { tooLong: 26, notFinite: 118 } },
  Abs: { run: 58, left: { tooLong: 8, notFinite: 9 } },
  Minus: { run: 21, left: { tooLong: 8, notFinite: 14 } },
  Compare: { run: 554, left: { tooLong: 12, notFinite: 93 } },
  Min: { run: 131, left: { tooLong: 22, notFinite: 94 } },
  Max: { run: 141, left: { tooLong: 22, notFinite: 94 } },
  Quantize: { run: 224, left: { tooLong: 51, notFinite: 122, rounding: 159, tens: 130 } },
}

/** Why a case does not apply. */
type Reason = (typeof reasons)[keyof typeof reasons]

interface Case {
  id: string
  operation: string
  operands: string[]
  result: string
  conditions: string[]
  rounding: string
}

const exponents = new Map<Decimal, number>()

function casesIn(file: string): Case[] {
  let rounding = 'half_even'
  return readFileSync(join(folder, file), 'latin1')
    .split('\n')
    .flatMap((line): Case[] => {
      const directive = /^\s*rounding\s*:\s*(\w+)/i.exec(line)
      if (directive !== null) rounding = directive[1]!.toLowerCase()
      const words: string[] = line.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\S+/g) ?? []
      const arrow = words.indexOf('->')
      if (arrow < 2 || words[0]!.startsWith('--')) return []
      const plain = words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
      const comment = plain.findIndex((word, at) => at > arrow && word.startsWith('--'))
      const end = comment === -1 ? plain.length : comment
      return [
        {
          ...{ id: plain[0]!, operation: plain[1]!.toLowerCase(), operands: plain.slice(2, arrow) },
          ...{ result: plain[arrow + 1]!, conditions: plain.slice(arrow + 2, end), rounding },
        },
      ]
    })
}

const numeral = /^([-+]?)(\d+)?(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/

/** Plain notation; null if it is not a finite number, or too long. */
function plainOf(text: string): { plain: string; exponent: number } | Reason {
  const match = numeral.exec(text)
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? []
  if (match === null || (whole === '' && fraction === '')) return reasons.notFinite
  const power = Number(exponent) - fraction.length
  const digits = whole + fraction
  if (digits.length + Math.abs(power) > 900) return reasons.tooLong
  const padded = power >= 0 ? digits + '0'.repeat(power) : digits.padStart(1 - power, '0')
  const plain = power >= 0 ? padded : `${padded.slice(0, power)}.${padded.slice(power)}`
  return { plain: (sign === '-' ? '-' : '') + plain, exponent: power }
}

/** To 34 significant digits, half-even. */
function rounded(value: Decimal): Decimal {
  const text = formatDecimal(value).replace('-', '')
  const [whole = '', fraction = ''] = text.split('.')
  const significant = whole === '0' ? -/^0*/.exec(fraction)![0].length : whole.length
  const decimals = 34 - significant
  if (decimals >= 0) return roundHalfEven(value, decimals)
  const unit = decimal(`1${'0'.repeat(-decimals)}`)
  // Exact: a power of ten has one digit other than zero.
  return multiply(roundHalfEven(shifted(value, -decimals), 0), unit)
}

function shifted(value: Decimal, places: number): Decimal {
  return multiply(value, parseDecimal(`0.${'0'.repeat(places - 1)}1`)!)
}

function outcomeOf({
  operation,
  operands,
  result,
  conditions,
  rounding,
}: Case): Reason | { ours: string; theirs: string } {
  if (!Object.hasOwn(operations, operation)) return reasons.unknown
  const values = operands.map(plainOf)
  const theirs = plainOf(result)
  const reason = [...values, theirs].find((each) => typeof each === 'string')
  if (reason !== undefined) return reason
  if (conditions.some((each) => /^(Overflow|Underflow)$/i.test(each))) return reasons.outOfRange
  if (rounding !== 'half_even' && conditions.some((each) => /^Inexact$/i.test(each))) return reasons.rounding
  const decimals = values.map((each) => {
    const { plain, exponent } = each as { plain: string; exponent: number }
    const value = parseDecimal(plain)!
    exponents.set(value, exponent)
    return value
  })
  if (operation === 'quantize' && exponents.get(decimals[1]!)! > 0) return reasons.tens
  const ours = operations[operation]!(decimals[0]!, decimals[1] ?? decimals[0]!)
  return {
    ours: formatDecimal(rounded(ours)),
    theirs: formatDecimal(parseDecimal((theirs as { plain: string }).plain)!),
  }
}

describe.skipIf(!existsSync(folder))('the published cases of decimal arithmetic', () => {
  const files = [
    'Add',
    'Subtract',
    'Multiply',
    'Divide',
    'Remainder',
    'Abs',
    'Minus',
    'Compare',
    'Min',
    'Max',
    'Quantize',
  ]
  it.each(files)('dq%s', (name) => {
    const left = new Map<string, number>()
    const wrong: string[] = []
    let run = 0
    for (const each of casesIn(`dq${name}.decTest`)) {
      const outcome = outcomeOf(each)
      if (typeof outcome === 'string') left.set(outcome, (left.get(outcome) ?? 0) + 1)
      else {
        run += 1
        if (outcome.ours !== outcome.theirs) wrong.push(`${each.id}: ${outcome.ours}, not ${outcome.theirs}`)
      }
    }
    expect(wrong).toEqual([])
    const counted = Object.entries(reasons).flatMap(([key, reason]) => {
      const count = left.get(reason)
      return count === undefined ? [] : [[key, count]]
    })
    expect({ run, left: Object.fromEntries(counted) }).toEqual(expected[name])
  })
})

it.skipIf(existsSync(folder))(
  'skipped: the cases are not installed (libpython3.11-testsuite)',
  () => undefined,
)
