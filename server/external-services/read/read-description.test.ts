// Reading JSON and YAML: what is accepted, and how bad input is refused.
import { describe, expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { descriptionLimits } from './limits.ts'
import { readDescription } from './read-description.ts'

const read = (text: string, mediaType?: string, limits = descriptionLimits) =>
  readDescription({ text, name: 'pets.yaml', mediaType }, limits)

function refusal(text: string, limits = descriptionLimits) {
  try {
    read(text, undefined, limits)
  } catch (error) {
    expect(error).toBeInstanceOf(AlmanacError)
    const { code, message, details } = error as AlmanacError
    expect(code).toBe('description.unreadable')
    return { message, ...(details[0] as object) }
  }
  throw new Error('It was accepted.')
}

describe('what is accepted', () => {
  it.each([
    ['JSON', '{"a": [1, null, "x"]}', undefined],
    ['JSON after a byte order mark', '\ufeff{"a": [1, null, "x"]}', 'application/json'],
    ['YAML', 'a:\n  - 1\n  - null\n  - x\n', 'application/yaml'],
    ['JSON that is sent as YAML', '{"a": [1, null, "x"]}', 'text/yaml; charset=utf-8'],
    ['YAML in flow style', '{a: [1, ~, x]}', 'application/vnd.oai.openapi+yaml'],
    ['aliases and merge keys', 'base: &b {a: [1, ~, x]}\nrest: {<<: *b}', undefined],
  ])('%s', (_, text, mediaType) => {
    const document = read(text, mediaType)
    expect(document.rest ?? document).toEqual({ a: [1, null, 'x'] })
  })

  it('a country code, a date and a word of YAML 1.1 as text', () => {
    expect(read('a: NO\nb: 2026-01-31\nc: on\nd: 1_000')).toEqual({
      ...{ a: 'NO', b: '2026-01-31', c: 'on', d: '1_000' },
    })
  })
})

describe('what is refused', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 12; level += 1)
    bomb.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)

  const many = (property: (at: number) => string, between: string): string =>
    Array.from({ length: 100_001 }, (_, at) => property(at)).join(between)

  it.each([
    ['JSON that breaks off', '{"a":\n [1,', /not valid JSON at line 2/],
    [
      'a property that occurs twice in JSON',
      '{"a": 1,\n "a": 2}',
      /^\/a in pets.yaml occurs twice.* line 2, column 2/,
    ],
    ['a property that occurs twice in YAML', 'a: 1\na: 2', /at line 2, column 1: duplicated mapping key/],
    [
      'JSON with one property too many',
      `{"a":{${many((at) => `"p${at}":1`, ',')}}}`,
      /^\/a\/p100000 in pets.yaml is one property too many/,
    ],
    [
      'YAML with one property too many',
      `a:\n${many((at) => ` p${at}: 1`, '\n')}`,
      /^\/a\/p100000 in pets.yaml is one property too many/,
    ],
    ['YAML that breaks off', 'a: [1,\n', /cannot be read as YAML at line 2/],
    ['two documents', 'a: 1\n---\na: 2', /single document/],
    ['a tag of a programming language', 'a: !!js/function x', /unknown scalar tag/],
    ['a list', '[1]', /does not contain an object/],
    ['a text', 'openapi', /does not contain an object/],
    ['an address of another kind', 'ftp://example.com/openapi.json', /Use an http or https address/],
    ['nothing', '', /cannot be read as YAML/],
    ['an alias bomb', bomb.join('\n'), /has more than 4000000 values, aliases included/],
    [
      'an alias that contains itself',
      'a: &a {b: *a}',
      /is nested more than 100 levels deep, or contains itself/,
    ],
    ['deep nesting in JSON', `{"a":${'['.repeat(150)}${']'.repeat(150)}}`, /nested/],
    ['deep nesting in YAML', `a: ${'['.repeat(150)}${']'.repeat(150)}`, /nesting exceeded/],
    ['endless nesting', '['.repeat(100_000), /JSON|nested/],
    [
      'a name of the prototype',
      '{"a": {"__proto__": {}}}',
      /^\/a\/__proto__ in pets.yaml has a reserved name/,
    ],
    ['half of a character', '{"a": "\\ud800"}', /^\/a in pets.yaml contains half of a surrogate pair/],
    [
      'a number beyond all numbers',
      '{"a": 1e999}',
      /^\/a in pets.yaml is not a number that JSON can represent/,
    ],
    ['a list as a key', '? [a]\n: 1', /complex keys/],
  ])('%s', (_, text, message) => {
    expect(refusal(text).message).toMatch(message)
  })

  it('a text that is too large, before it is read', () => {
    expect(refusal('{"a": "ü"}', { ...descriptionLimits, bytes: 10 }).message).toMatch(/is larger than/)
  })

  it('too many aliases', () => {
    const text = `a: &a 1\nb: [${'*a, '.repeat(20)}]`
    expect(refusal(text, { ...descriptionLimits, aliases: 10 }).message).toMatch(/aliases exceeded/)
  })

  it('with the line and column as data', () => {
    expect(refusal('a: 1\nb: [')).toMatchObject({ line: 2 })
    expect(refusal('{"a": 1e999}')).toMatchObject({ pointer: '/a' })
  })
})
