import { describe, expect, it } from 'vitest'
import { scanJson } from './scan-json.ts'

const duplicates = (text: string) => scanJson(text).map(({ kind, path, offset }) => [kind, path, offset])

describe('scanJson', () => {
  it.each<[string, string, unknown[]]>([
    ['a name twice', '{"a":1,"a":2}', [['duplicate', '/a', 7]]],
    ['a name twice, the second time escaped', '{"a":1,"\\u0061":2}', [['duplicate', '/a', 7]]],
    ['a duplicate name within', '{"x":[0,{"a":{},"b":[1],"a":2}]}', [['duplicate', '/x/1/a', 24]]],
    ['one name in two objects', '{"a":{"a":1},"b":[{"a":1},{"a":2}]}', []],
    ['a value that equals its name', '{"a":"a","b":["a","a"],"c":"a"}', []],
    ['quotes and brackets in texts', '{"a\\\\":"{\\"a\\"","b":"]\\\\","c":1}', []],
    ['an unfinished text', '{"a":1,"a', []],
    ['invalid JSON', ']},:"', []],
    ['a number with too many digits', '{"a":[1,9007199254740993]}', [['number', '/a/1', 8]]],
    ['a number that is too large', '{"a":1e400}', [['number', '/a', 5]]],
    ['a fraction with too many digits', '[-0.12345678901234567891]', [['number', '/0', 1]]],
    [
      'numbers that stay unchanged',
      '[0,-0,1.10,0.1,1e5,1E-7,100000000000000000000,9007199254740992,0.30000000000000004,1.50000000000000000]',
      [],
    ],
    ['a long number in quotes', '["9007199254740993"]', []],
  ])('%s', (_, text, expected) => expect(duplicates(text)).toEqual(expected))

  it('stops at a depth that no component needs', () => {
    expect(scanJson('['.repeat(200) + ']'.repeat(200))).toEqual([])
    expect(scanJson('['.repeat(100_000))).toEqual([{ kind: 'depth', path: '/0/0/0', offset: 200 }])
  })

  it('stops at an object with one property too many', () => {
    const objectOf = (count: number): string =>
      `{${Array.from({ length: count }, (_, at) => `"p${at}":1`).join()}}`
    const widest = objectOf(100_000)
    expect(scanJson(`[${widest},${widest}]`)).toEqual([])
    const text = `[${widest},{"a":${objectOf(100_002)},"a":1}]`
    expect(scanJson(text)).toEqual([
      { kind: 'width', path: '/1/a/p100000', offset: text.indexOf('"p100000"') },
    ])
  })
})
