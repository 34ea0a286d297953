// Checks of values: the same verdict as Ajv on random schemas, and a budget that no schema exceeds.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../json.ts'
import { parseExactJson } from '#kernel/service-values/index.ts'
import { ValueChecker } from './value-checker.ts'

const bundleOf = (schemas: Record<string, JsonValue>): JsonObject => ({ components: { schemas } })
const exact = (value: JsonValue) => parseExactJson(JSON.stringify(value))
const check = (schema: JsonValue, value: JsonValue, schemas = {}): string | null =>
  new ValueChecker(bundleOf(schemas), 'response').check(schema, exact(value))?.message ?? null

const names = fc.constantFrom('a', 'b', 'c', 'constructor')
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2, 5, -1, 1.5, '', 'a', 'ab', '𝒳', 'abcd'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

const small = fc.nat(3)
const depthIdentifier = fc.createDepthIdentifier()
const anyOf = <T>(...arbitraries: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ maxDepth: 3, depthIdentifier }, ...arbitraries)
const mapOf = <T>(keys: fc.Arbitrary<string>, item: fc.Arbitrary<T>) =>
  fc.dictionary(keys, item, { maxKeys: 3, noNullPrototype: true })

const schema = fc.letrec<{ schema: JsonValue; node: JsonObject }>((tie) => {
  const below = tie('schema')
  const many = fc.array(below, { minLength: 1, maxLength: 3 })
  const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array')
  const keywords: Record<string, fc.Arbitrary<JsonValue>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    ...{ const: value, enum: fc.array(value, { minLength: 1, maxLength: 4 }) },
    ...{ minimum: small, maximum: small, exclusiveMinimum: small, exclusiveMaximum: small },
    ...{ multipleOf: fc.constantFrom(1, 2, 0.5), minLength: small, maxLength: small },
    ...{ pattern: fc.constantFrom('^a', 'b$', '^[a-c]{2}$'), items: below, prefixItems: many },
    ...{ minItems: small, maxItems: small, uniqueItems: fc.boolean(), contains: below },
    ...{ minContains: small, maxContains: small, properties: mapOf(names, below) },
    patternProperties: mapOf(fc.constantFrom('^a', 'c', '^.$'), below),
    ...{ additionalProperties: below, required: fc.uniqueArray(names, { maxLength: 2 }) },
    ...{ propertyNames: fc.constantFrom<JsonValue>({ maxLength: 1 }, true) },
    ...{ minProperties: small, maxProperties: small, dependentSchemas: mapOf(names, below) },
    dependentRequired: mapOf(names, fc.uniqueArray(names, { maxLength: 2 })),
    ...{ allOf: many, anyOf: many, oneOf: many, not: below, if: below, then: below, else: below },
    ...{ unevaluatedProperties: below, unevaluatedItems: below },
  }
  // Most keywords at once accept nothing.
  const chosen = fc.subarray(Object.keys(keywords), { minLength: 1, maxLength: 4 })
  const node = chosen.chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, keywords[key]!]))))
  const reference = fc.constantFrom('A', 'B').map((name) => ({ $ref: `#/components/schemas/${name}` }))
  return { schema: anyOf<JsonValue>(fc.boolean(), reference, tie('node')), node }
})

/** Null if the code that Ajv compiles is faulty, as for some schemas that refer to themselves. */
function ajvAccepts(schemas: Record<string, JsonValue>, root: JsonValue, json: JsonValue): boolean | null {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    validateSchema: false,
    meta: false,
    logger: false,
  })
  try {
    return ajv.validate({ allOf: [root], components: { schemas } } as object, json)
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) return null
    throw error
  }
}

it('accepts what Ajv accepts, and nothing else', () => {
  const verdicts = { true: 0, false: 0 }
  fc.assert(
    fc.property(schema.node, schema.node, schema.schema, value, (a, b, root, json) => {
      const schemas = { A: { properties: { a } } as JsonValue, B: { items: b } as JsonValue }
      const text = JSON.stringify([schemas, root])
      // Ajv accepts an empty list for "contains" beside "unevaluatedItems" or "prefixItems".
      fc.pre(!text.includes('"contains"') || !/"(unevaluatedItems|prefixItems)"/.test(text))
      // Within a list of lists, it keeps the verdict of the list before for an empty one.
      fc.pre(!text.includes('"contains"') || !JSON.stringify(json).includes('[]'))
      // It loses what was evaluated along a reference in "if", and takes what a failed branch beside one evaluated.
      fc.pre(!text.includes('"unevaluated') || !text.includes('"$ref"'))
      const expected = ajvAccepts(schemas, root, json)
      fc.pre(expected !== null)
      const accepted = check(root, json, schemas) === null
      verdicts[`${accepted}`] += 1
      expect(accepted).toBe(expected)
    }),
    { numRuns: Number(process.env['ALMANAC_RUNS'] ?? 200) },
  )
  // A generator whose schemas accept nothing would prove nothing.
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(30)
})

describe('an issue', () => {
  it.each<[JsonValue, JsonValue, string]>([
    [{ type: 'string' }, 1, 'The value must be a text.'],
    [{ type: ['integer', 'null'] }, 'x', 'The value must be a whole number or null.'],
    [{ properties: { a: { items: { maximum: 3 } } } }, { a: [1, 5] }, '/a/1 must be at most 3.'],
    [{ required: ['a'] }, {}, 'The value must have the member "a".'],
    [
      { additionalProperties: false, properties: { a: {} } },
      { b: 1 },
      'The value must not have the member "b".',
    ],
    [{ enum: ['a', 'b'] }, 'c', 'The value must be one of "a", "b".'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'The value does not have its format.'],
    [{ type: 'string', pattern: '^a$' }, 'b', 'The value does not match its pattern.'],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'The value must not contain an item twice.',
    ],
    [{ oneOf: [{}, {}] }, 1, 'The value matches more than one of the schemas of which it must match one.'],
    [
      { anyOf: [{ type: 'string' }, { properties: { a: { type: 'string' } } }] },
      { a: 1 },
      '/a must be a text.',
    ],
  ])('of %j with %j is described: %s', (schema, json, message) => {
    expect(check(schema, json)).toBe(message)
  })
})

it.each<[JsonValue, JsonValue, boolean]>([
  [{ contains: { type: 'null' } }, [], false],
  [{ contains: { type: 'null' }, minContains: 0 }, [], true],
  [{ items: { contains: { type: 'null' } } }, [[null], []], false],
  [{ items: { contains: { type: 'null' } } }, [[null], [1, null]], true],
  [{ multipleOf: 0.01 }, 19.99, true],
  [{ multipleOf: 0.01 }, 19.995, false],
  [{ multipleOf: 1e-300 }, 1e300, true],
  [{ type: 'integer', format: 'int32' }, 2147483648, false],
  [{ type: 'integer', format: 'int64' }, 2 ** 53, true],
  [{ type: 'string', format: 'int64' }, '9223372036854775807', true],
  [{ type: 'string', format: 'int64' }, '9223372036854775808', false],
  [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00:00+01:00', true],
  [{ type: 'string', format: 'date-time' }, '2026-01-31', false],
  [{ type: 'string', format: 'unknown' }, 'x', true],
  [{ pattern: '^(?=x)' }, 'y', true],
  [{ pattern: '^\\u0041\\x42\\/$' }, 'AB/', true],
  [{ pattern: '^\\u{1D4B3}$' }, '𝒳', true],
  [{ patternProperties: { '(?=x)': {} }, additionalProperties: false }, { y: 1 }, true],
  [{ minLength: 'x', required: 'y', type: 7, enum: 3, properties: { a: 1 } } as JsonValue, { a: 1 }, true],
])('%j with %j is valid: %s', (schema, json, isValid) => {
  expect(check(schema, json) === null).toBe(isValid)
})

const integer = (format: string): JsonObject => ({ type: ['integer', 'null'], format })

it.each<[string, string, boolean]>([
  ['int32', '2147483647', true],
  ['int32', '-2147483648', true],
  ['int32', '2147483648', false],
  ['int32', '-2147483649', false],
  ['int32', '2.147483647e9', true],
  ['int64', '9223372036854775807', true],
  ['int64', '9223372036854775808', false],
  ['int64', '-9223372036854775808', true],
  ['int64', '-9223372036854775809', false],
  ['int64', '9223372036854775807.0', true],
  ['int64', '9007199254740993.5', false],
  ['int64', '9.2e18', true],
  ['int64', '9.3e18', false],
  ['int64', '1e400', false],
  ['uint64', '18446744073709551615', true],
  ['uint64', '18446744073709551616', false],
  ['uint64', '-1', false],
  ['uint64', '-0', true],
])('a number of the format %s can be %s: %s', (format, numeral, isValid) => {
  const checker = new ValueChecker(bundleOf({}), 'request')
  const rows = { properties: { rows: { items: { properties: { id: integer(format) } } } } }
  const issue = checker.check(rows, parseExactJson(`{"rows":[{},{"id":${numeral}}]}`))
  expect(issue === null).toBe(isValid)
  if (issue !== null) expect(issue.message).toMatch(/^\/rows\/1\/id must be a whole number/)
  expect(checker.check(integer(format), parseExactJson(numeral)) === null).toBe(isValid)
})

it.each<[JsonObject, string, boolean]>([
  [{ maximum: 0.3 }, '0.3', true],
  [{ maximum: 0.3 }, '0.30000000000000000001', false],
  [{ maximum: 0.3 }, '0.29999999999999999999', true],
  [{ minimum: 1 }, '0.99999999999999999999', false],
  [{ minimum: 1 }, '1.00000000000000000000', true],
  [{ exclusiveMaximum: 100 }, '99.9999999999999999999', true],
  [{ exclusiveMaximum: 100 }, '100.000', false],
  [{ exclusiveMinimum: -1e3 }, '-999.99999999999999999999', true],
  [{ exclusiveMinimum: -1e3 }, '-1000.0', false],
  [{ maximum: 1e300 }, '1e300', true],
  [{ maximum: 1e300 }, '1e400', false],
  // The description has lost the digits of its limit: 9007199254740993.
  [{ maximum: 2 ** 53 }, '9007199254740993', true],
  [{ minimum: 2 ** 63 }, '9223372036854775807', true],
  [{ multipleOf: 1 }, '1.00000000000000000001', false],
  [{ multipleOf: 0.01 }, '12345678901234567890.12', true],
  [{ multipleOf: 0.01 }, '12345678901234567890.123', false],
  [{ multipleOf: 3 }, '100000000000000000002', true],
  [{ multipleOf: 3 }, '100000000000000000001', false],
  [{ multipleOf: 1 }, '1e400', true],
  [{ multipleOf: 1 }, '1e800', false],
])('with %j, %s is valid: %s', (schema, numeral, isValid) => {
  const checker = new ValueChecker(bundleOf({}), 'request')
  const rows = { items: { properties: { amount: schema } } }
  expect(checker.check(rows, parseExactJson(`[{"amount":${numeral}}]`)) === null).toBe(isValid)
})

it('names the range of a format', () => {
  expect(check(integer('int32'), 2 ** 31)).toBe(
    'The value must be a whole number from -2147483648 to 2147483647.',
  )
  expect(check({ type: 'string', format: 'int64' }, '9223372036854775808')).toBe(
    'The value must be a whole number from -9223372036854775808 to 9223372036854775807.',
  )
})

it('does not require what only the other direction has', () => {
  const schema = {
    required: ['id', 'secret', 'name'],
    properties: { id: { readOnly: true }, secret: { $ref: '#/components/schemas/Secret' }, name: {} },
  }
  const bundle = bundleOf({ Secret: { type: 'string', writeOnly: true } })
  const [request, response] = (['request', 'response'] as const).map(
    (direction) => new ValueChecker(bundle, direction),
  )
  expect(request!.check(schema, exact({ secret: 'x', name: 1 }))).toBeNull()
  expect(request!.check(schema, exact({ id: 1, name: 1 }))?.message).toContain('"secret"')
  expect(response!.check(schema, exact({ id: 1, name: 1 }))).toBeNull()
})

describe('a budget ends', () => {
  const reference = { $ref: '#/components/schemas/A' }
  const nested = (depth: number): JsonValue => (depth === 0 ? 1 : { x: nested(depth - 1) })
  const tooLong = 'The value takes too long to check against its schema.'

  it.each<[string, JsonValue, JsonValue]>([
    [
      'a choice that doubles at each level',
      { anyOf: [{ properties: { x: reference } }, { properties: { x: reference } }], type: 'object' },
      nested(60),
    ],
    ['a circle without a value', { allOf: [reference] }, 1],
    [
      'many choices for many items',
      { items: { anyOf: [...Array.from({ length: 2000 }, () => ({ minimum: 5 })), {}] } },
      Array.from({ length: 20_000 }, () => 1),
    ],
    ['a value that is deeper than any', { properties: { x: reference } }, nested(2000)],
  ])('%s', (_, schema, json) => {
    const checker = new ValueChecker(bundleOf({ A: schema }), 'response')
    expect(checker.check(reference, exact(json), 1_000_000)?.message).toBe(tooLong)
  })

  it('nothing that is merely large', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `row ${at}`, tags: ['a', 'b'] }))
    const schema = {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, name: { type: 'string', pattern: '^row [0-9]+$' } },
      },
    }
    expect(check(schema, rows)).toBeNull()
  })

  it('no pattern, because patterns are linear', () => {
    expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(100_000)}b`)).toBe(
      'The value does not match its pattern.',
    )
  })
})
