// The published conformance tests of CEL, for the parts of the language that Almanac keeps. A test either gives the
// value of the standard, or is left out for one of the reasons below: Almanac then refuses the expression before it is
// evaluated, or its numbers are exact where the standard counts in 64 bits.
import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js'
import { describe, expect, it } from 'vitest'
import type { ParamType } from '#kernel/components/expression-slot.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { compareDecimal, isDecimal, parseDecimal } from '#kernel/decimal/decimal.ts'
import { compileExpression, type ExprValue } from '#kernel/expr/index.ts'

/** Suites about things that the language does not have at all. */
const otherSuites: Readonly<Record<string, string>> = {
  bindings_ext: 'local names (cel.bind)',
  block_ext: 'blocks of common parts',
  dynamic: 'protobuf messages',
  encoders_ext: 'bytes',
  enums: 'protobuf messages',
  macros2: 'macros over maps',
  math_ext: 'extension functions over 64-bit numbers',
  namespace: 'containers of names',
  optionals: 'optional values of maps',
  proto2: 'protobuf messages',
  proto2_ext: 'protobuf messages',
  proto3: 'protobuf messages',
  string_ext: 'extension functions over texts',
  type_deductions: 'types as values',
  unknowns: 'partial evaluation',
  wrappers: 'protobuf messages',
}

/** Why a test of another suite is left out, by what Almanac reports when it compiles the expression. */
const refusals = {
  messages: [
    'protobuf messages and quoted names',
    /"[{`]" is not allowed here|found "\{"|A dot is not allowed here/,
  ],
  bytes: ['bytes', /Bytes are not supported|"['"]" is not allowed here/],
  formFeed: ['form feeds between words', /"\f" is not allowed here/],
  maps: ['maps', /Maps and optional access are not supported|use present\(x\) to test/],
  notation: ['unsigned, hexadecimal and exponent numbers', /is not a plain number/],
  lists: ['comparing and joining lists', /Lists cannot be compared|"\+" takes numbers; this is a list/],
  null: ['null as a value', /comparison with null/],
  conversions: [
    'dyn, type and conversions that have other names',
    /^"list" is a function|The function "(dyn|type|int|uint|double|string|bool|bytes|timestamp|duration|f_unknown)" does not exist/,
  ],
  times: ['parts of timestamps and durations', /The function "\.?get\w+(\(\))?" does not exist/],
  strict: [
    'lists, branches and conditions of more than one type',
    /must have (one|the same) type|is never in|A condition must be|cannot be compared with|have no order/,
  ],
  constant: ['a division by the constant zero, which is reported when it is written', /Division by zero/],
  names: ['names that are not declared', /The name "\w+" is unknown|The function "\.\w+\(\)" does not exist/],
} as const satisfies Record<string, readonly [string, RegExp]>

/** Where Almanac gives a value, and the standard a different one or an error. */
const deviations: Readonly<Record<string, readonly string[]>> = {
  'numbers are exact and have no 64 bits to overflow': [
    ...['9223372036854775807 + 1', '-9223372036854775808 - 1', '-9223372036854775808 + (-1)'],
    ...['1 - (-9223372036854775807)', '-(-9223372036854775808)', '(-9223372036854775808) * -1'],
    ...['(-9223372036854775808)/-1', '5000000000 * 5000000000', '(-5000000000) * 5000000000'],
  ],
  'a remainder of numbers with decimals is a number': ['47.5 % 5.5'],
  'null alone is an absent value': ['null'],
  'an item that a list does not have is an absent value': ['[1, 2, 3][3]'],
}

/** Values that an input of the playground cannot have. */
const inputs = 'inputs that are null, lists, maps, bytes, unsigned numbers or messages'

type Kind = { case?: string | undefined; value?: unknown }

interface Case {
  suite: string
  name: string
  expr: string
  wanted: Kind
  bindings: Readonly<Record<string, Kind | undefined>>
}

function casesOf({ name, suites, tests }: IncrementalTestSuite, path: readonly string[] = []): Case[] {
  const own = [...path, name]
  return [...tests.map((test) => caseOf(test, own)), ...suites.flatMap((suite) => casesOf(suite, own))]
}

function caseOf({ name, original }: IncrementalTest, path: readonly string[]): Case {
  const { expr, bindings, resultMatcher: matcher } = original
  const kindOf = ({ kind }: (typeof bindings)[string]): Kind | undefined =>
    kind.case === 'value' ? (kind.value.kind as Kind) : undefined
  const wanted = ((): Kind => {
    switch (matcher.case) {
      case 'value':
        return matcher.value.kind as Kind
      case 'typedResult':
        return (matcher.value.result?.kind ?? {}) as Kind
      // Without one, the result is true.
      case undefined:
        return { case: 'boolValue', value: true }
      default:
        return { case: matcher.case }
    }
  })()
  return {
    ...{ suite: path[1]!, name: [...path.slice(1), name].join('/'), expr, wanted },
    bindings: Object.fromEntries(Object.entries(bindings).map(([key, value]) => [key, kindOf(value)])),
  }
}

function inputOf(kind: Kind | undefined): [ParamType, ExprValue] | null {
  switch (kind?.case) {
    case 'boolValue':
      return ['boolean', kind.value as boolean]
    case 'stringValue':
      return ['text', kind.value as string]
    case 'int64Value':
    case 'doubleValue':
      return ['number', parseDecimal(String(kind.value))]
    default:
      return null
  }
}

function isSame({ case: kind, value }: Kind, found: ExprValue): boolean {
  switch (kind) {
    case 'boolValue':
    case 'stringValue':
      return found === value
    case 'int64Value':
    case 'doubleValue': {
      const wanted = parseDecimal(String(value))
      return wanted !== null && isDecimal(found) && compareDecimal(found, wanted) === 0
    }
    case 'listValue': {
      const { values } = value as { values: { kind: Kind }[] }
      return (
        Array.isArray(found) &&
        found.length === values.length &&
        found.every((item, at) => isSame(values[at]!.kind, item as ExprValue))
      )
    }
    default:
      return false
  }
}

const isError = ({ case: kind }: Kind): boolean => kind === 'evalError' || kind === 'anyEvalErrors'

/** `same`, or why the test is left out; otherwise what is wrong. */
function verdictOf({ expr, wanted, bindings }: Case): string {
  const values = new Map<string, ExprValue>()
  const declared: { key: string; type: ParamType }[] = []
  for (const [key, kind] of Object.entries(bindings)) {
    const input = inputOf(kind)
    if (input === null) return inputs
    declared.push({ key, type: input[0] })
    values.set(key, input[1])
  }
  const compiled = compileExpression(expr, { kind: 'playground', inputs: declared }, new MemoryView([]))
  if (!compiled.ok) {
    const refusal = Object.values(refusals).find(([, pattern]) =>
      compiled.problems.some(({ message }) => pattern.test(message)),
    )
    // What is an error in both is the same, unless it is one because of a part that Almanac does not have.
    if (
      isError(wanted) &&
      (refusal === undefined || refusal === refusals.constant || refusal === refusals.strict)
    )
      return 'same'
    return refusal?.[0] ?? `refused: ${compiled.problems.map(({ message }) => message).join(' ')}`
  }
  const deviation = Object.entries(deviations).find(([, exprs]) => exprs.includes(expr))
  let found: ExprValue
  try {
    const field = (path: readonly string[]): ExprValue => values.get(path.join('.')) ?? null
    found = compiled.program.evaluate({ field, configRow: () => ({}), flag: () => false })
  } catch (error) {
    if (isError(wanted)) return 'same'
    return deviation?.[0] ?? `failed: ${(error as Error).message}`
  }
  if (isSame(wanted, found)) return 'same'
  return deviation?.[0] ?? `a different value: ${String(found)}`
}

const all = casesOf(getConformanceSuite())
const kept = all.filter(({ suite }) => !Object.hasOwn(otherSuites, suite))
const verdicts = kept.map((each) => [each, verdictOf(each)] as const)

describe('the conformance tests of CEL', () => {
  it('are all there, and only the suites below are left out', () => {
    expect(all).toHaveLength(2344)
    expect(new Set(all.map(({ suite }) => suite))).toEqual(
      new Set([
        ...Object.keys(otherSuites).filter((suite) => suite !== 'unknowns'),
        ...kept.map(({ suite }) => suite),
      ]),
    )
  })

  it('give the value of the standard, or are left out for a reason', () => {
    const known = new Set<string>([
      'same',
      inputs,
      ...Object.values(refusals).map(([reason]) => reason),
      ...Object.keys(deviations),
    ])
    expect(
      verdicts.flatMap(([{ name, expr }, verdict]) => (known.has(verdict) ? [] : [[name, expr, verdict]])),
    ).toEqual([])
  })

  it('are counted', () => {
    const counts: Record<string, number> = {}
    for (const [, verdict] of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1
    expect(counts).toEqual({
      same: 357,
      'a division by the constant zero, which is reported when it is written': 8,
      'a remainder of numbers with decimals is a number': 1,
      'an item that a list does not have is an absent value': 1,
      bytes: 101,
      'comparing and joining lists': 24,
      'dyn, type and conversions that have other names': 215,
      'form feeds between words': 1,
      'inputs that are null, lists, maps, bytes, unsigned numbers or messages': 18,
      'lists, branches and conditions of more than one type': 24,
      maps: 98,
      'names that are not declared': 30,
      'null alone is an absent value': 2,
      'null as a value': 13,
      'numbers are exact and have no 64 bits to overflow': 9,
      'protobuf messages and quoted names': 104,
      'unsigned, hexadecimal and exponent numbers': 170,
    })
  })
})
