// Values: exact numbers in both directions, and parameters in the styles of OpenAPI.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ServiceType, ServiceTypes } from '#kernel/components/external-service/service-types.ts'
import { formatDecimal, isDecimal, parseDecimal, type Decimal } from '#kernel/decimal/decimal.ts'
import { DateValue, Instant } from '#kernel/expr/values.ts'
import {
  parseExactJson,
  readServiceValue,
  writeExactJson,
  writeServiceValue,
  type ExactValue,
  type ServiceValue,
} from '#kernel/service-values/index.ts'
import type { OperationParameter } from '../structure/operation-structure.ts'
import { writeParameter } from './write-parameter.ts'

const none: ServiceTypes = { operations: [], objects: {} }
const dyn: ServiceType = { kind: 'dyn' }
const decimal = (text: string): Decimal => parseDecimal(text)!

function read(text: string, type: ServiceType = dyn, types = none): ServiceValue | string {
  const result = readServiceValue(parseExactJson(text), type, types)
  return result.ok ? result.value : `! ${result.issue.message}`
}

describe('numbers', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['0.1000000000000000055', '0.1000000000000000055'],
    ['1.10', '1.1'],
    ['-0', '0'],
    ['1e3', '1000'],
    ['1.5E-2', '0.015'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['1e999', `1${'0'.repeat(999)}`],
  ])('%s is read as %s', (text, expected) => {
    for (const [whole, inside] of [
      [text, (value: ServiceValue) => value],
      [`[${text}]`, (value: ServiceValue) => (value as ServiceValue[])[0]!],
      [`{"a":${text}}`, (value: ServiceValue) => (value as { a: ServiceValue }).a],
    ] as const) {
      const value = inside(read(whole))
      expect(isDecimal(value) && formatDecimal(value).replace(/^-0$/, '0')).toBe(expected)
    }
  })

  it('of JSON come back unchanged', () => {
    const digits = fc.stringMatching(/^-?[1-9][0-9]{0,40}(\.[0-9]{0,20}[1-9])?$/)
    fc.assert(
      fc.property(fc.array(digits), (numbers) => {
        const value = read(`[${numbers.join(',')}]`) as ServiceValue
        expect(writeExactJson(writeServiceValue(value, dyn, none))).toBe(`[${numbers.join(',')}]`)
      }),
    )
  })

  it('are read the same beside long digits, which are read differently', () => {
    const numeral = fc.stringMatching(/^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?([eE][-+]?[0-9]{1,3})?$/)
    fc.assert(
      fc.property(numeral, (text) => {
        const first = (json: string): string => {
          const [value] = read(json) as ServiceValue[]
          return isDecimal(value) ? formatDecimal(value).replace(/^-0$/, '0') : 'no number'
        }
        expect(first(`[${text}]`)).toBe(first(`[${text},"0000000000000000"]`))
      }),
    )
  })

  it.each(['', '1,2', '1],[2', '{', 'NaN', '01'])('are not read from %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })

  it('that are far too long are refused', () => {
    expect(read('1e99999')).toMatch(/^! The value must be a number of a usual size/)
  })
})

describe('a value', () => {
  const types: ServiceTypes = {
    operations: [],
    objects: {
      Row: {
        members: [
          { key: 'at', type: { kind: 'datetime' }, required: true },
          { key: 'n', type: { kind: 'decimal', wire: 'text' }, required: false },
        ],
        others: { kind: 'date' },
      },
    },
  }
  const row: ServiceType = { kind: 'object', name: 'Row' }

  it('is converted to its type and back', () => {
    const value = read(
      '{"at":"2026-01-31T13:00:00+01:00","n":"12.50","day":"2026-01-31","none":null}',
      row,
      types,
    )
    expect(value).toMatchObject({ day: new DateValue('2026-01-31' as never), none: null })
    expect((value as Record<string, unknown>).at).toBeInstanceOf(Instant)
    expect(writeExactJson(writeServiceValue(value, row, types))).toBe(
      '{"at":"2026-01-31T12:00:00Z","n":"12.5","day":"2026-01-31","none":null}',
    )
  })

  it.each<[string, ServiceType, string]>([
    ['"x"', { kind: 'decimal' }, '! The value must be a number.'],
    ['1.5', { kind: 'decimal', integer: true }, '! The value must be a whole number.'],
    ['true', { kind: 'text' }, '! The value must be a text.'],
    ['[1,"x"]', { kind: 'list', of: { kind: 'decimal' } }, '! /1 must be a number.'],
    ['{"at":"2026-01-31"}', row, '! /at must be a date and time such as 2026-01-31T12:00:00Z.'],
    ['{"day":"2026-02-30"}', row, '! /day must be a date such as 2026-01-31.'],
    ['[]', row, '! The value must be an object.'],
    ['1', { kind: 'absent' }, '! The value must be absent.'],
  ])('%s of type %j is refused', (text, type, message) => {
    expect(read(text, type, types)).toBe(message)
  })
})

describe('a parameter', () => {
  const list: ExactValue = ['blue', 'black', 'brown']
  const object: ExactValue = { R: decimal('100'), G: decimal('200'), B: decimal('150') }
  const written = (members: Partial<OperationParameter>, value: ExactValue): string => {
    const parameter = {
      name: 'color',
      in: 'query',
      required: true,
      style: 'form',
      explode: false,
      allowReserved: false,
      schema: true,
      ...members,
    } as OperationParameter
    const result = writeParameter(parameter, value)
    return 'text' in result ? result.text : result.pairs.map((pair) => pair.join('=')).join('&')
  }

  // The examples that OpenAPI publishes for its styles.
  it.each<[OperationParameter['in'], string, boolean, string, string, string]>([
    ['path', 'matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['path', 'matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['path', 'label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['path', 'label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['path', 'simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['header', 'simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['query', 'form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['query', 'form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    ['query', 'spaceDelimited', false, 'color=blue', 'color=blue%20black%20brown', 'color=R,100,G,200,B,150'],
    ['query', 'pipeDelimited', false, 'color=blue', 'color=blue|black|brown', 'color=R,100,G,200,B,150'],
    [
      'query',
      'deepObject',
      true,
      'color=blue',
      'color=blue&color=black&color=brown',
      'color[R]=100&color[G]=200&color[B]=150',
    ],
  ])('in %s, style %s, explode %s', (place, style, explode, text, ofList, ofObject) => {
    const how = { in: place, style, explode }
    expect([written(how, 'blue'), written(how, list), written(how, object)]).toEqual([text, ofList, ofObject])
  })

  it.each<[Partial<OperationParameter>, ExactValue, string]>([
    [{}, 'a&b=c d/é', 'color=a%26b%3Dc%20d%2F%C3%A9'],
    [{ allowReserved: true }, 'a/b?c&d#e', 'color=a/b?c%26d%23e'],
    [{ name: 'a[b]&' }, 'x', 'a[b]%26=x'],
    [{ in: 'path', style: 'simple' }, '../x', '..%2Fx'],
    [{ in: 'path', style: 'simple' }, "it's (1)*", 'it%27s%20%281%29%2A'],
    [{ in: 'header', style: 'simple' }, 'a b', 'a b'],
    [{ mediaType: 'application/json' }, { a: decimal('1.50') }, 'color=%7B%22a%22%3A1.5%7D'],
    [{}, decimal('9007199254740993'), 'color=9007199254740993'],
    [{}, true, 'color=true'],
    [{ style: 'deepObject' }, { a: { b: ['x', 'y'] } }, 'color[a][b]=x&color[a][b]=y'],
  ])('%j with %j is %s', (how, value, text) => {
    expect(written(how, value)).toBe(text)
  })
})
