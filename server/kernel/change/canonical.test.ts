import { existsSync, readdirSync, readFileSync } from 'node:fs'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type JsonValue } from './canonical.ts'

const vectors = new URL('../../../../shared/data/jcs/', import.meta.url)

describe('canonicalJson', () => {
  it.each<[string, JsonValue, string]>([
    ['sorts keys', { b: 1, a: 2, '': 0 }, '{"":0,"a":2,"b":1}'],
    ['keeps the order of arrays', [3, 1, 2], '[3,1,2]'],
    [
      'writes numbers as ECMAScript does',
      [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27],
      '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
    ],
    ['has one zero', [0, -0], '[0,0]'],
    ['escapes control characters only', '\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [
      'sorts by UTF-16 units, not by code points',
      { '\u{1f600}': 1, '\ufb33': 2 },
      '{"\u{1f600}":1,"\ufb33":2}',
    ],
    ['does not normalise Unicode', ['\u00e9', 'e\u0301'], '["\u00e9","e\u0301"]'],
    ['accepts bare values', null, 'null'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  it.each<[string, unknown, RegExp]>([
    ['undefined', { body: { rate: undefined } }, /at \/body\/rate .*undefined/],
    ['a hole', [1, undefined], /at \/1 .*undefined/],
    ['NaN', { a: [NaN] }, /at \/a\/0 .*NaN/],
    ['an infinity', -Infinity, /^The value cannot be .*-Infinity/],
    ['a lone surrogate in text', { a: '\ud800' }, /at \/a .*surrogate/],
    ['a lone surrogate in a name', { '\udc00': 1 }, /surrogate/],
    ['a bigint', [1n], /bigint/],
    ['a function', { f: () => 1 }, /function/],
    ['a class instance', { on: new Date(0) }, /at \/on .*Date/],
    ['a name with a slash', { 'a/b~c': NaN }, /\/a~1b~0c/],
  ])('refuses %s with its place', (_, value, message) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(message)
  })

  it('refuses a value that refers to itself', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    expect(() => canonicalJson(loop as JsonValue)).toThrow(
      /is nested deeper than 1000 levels, or refers to itself/,
    )
  })

  it('is a fixed point: reading it and writing it again returns the same text, in any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as JsonValue)
        const reread = JSON.parse(text) as JsonValue
        return canonicalJson(reread) === text && canonicalJson(reversed(reread)) === text
      }),
    )
  })

  describe.skipIf(!existsSync(vectors))(
    'the published vectors of RFC 8785 (skipped if ../shared is missing)',
    () => {
      const names = existsSync(vectors) ? readdirSync(new URL('input/', vectors)) : []
      it.each(names)('%s', (name) => {
        const input = JSON.parse(readFileSync(new URL(`input/${name}`, vectors), 'utf8')) as JsonValue
        expect(canonicalJson(input)).toBe(readFileSync(new URL(`output/${name}`, vectors), 'utf8'))
      })
    },
  )
  it('writes what the reference package writes', () => {
    const json = fc.jsonValue({ stringUnit: 'grapheme' }) as fc.Arbitrary<JsonValue>
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value))
      }),
    )
  })
})

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(reversed)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value as { readonly [key: string]: JsonValue })
  return Object.fromEntries(entries.reverse().map(([key, inner]) => [key, reversed(inner)]))
}
