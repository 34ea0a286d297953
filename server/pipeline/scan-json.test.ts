import { describe, expect, it } from 'vitest'
import { scanJson } from './scan-json.ts'

const duplicates = (text: string) => scanJson(text).map(({ kind, path, offset }) => [kind, path, offset])

describe('scanJson', () => {
  it.each<[string, string, unknown[]]>([
    ['a name twice', '{"a":1,"a":2}', [['duplicate', '/a', 7]]],
    ['a name twice, the second time escaped', '{"a":1,"\\u0061":2}', [['duplicate', '/a', 7]]],
    ['a name twice within', '{"x":[0,{"a":{},"b":[1],"a":2}]}', [['duplicate', '/x/1/a', 24]]],
    ['one name in two objects', '{"a":{"a":1},"b":[{"a":1},{"a":2}]}', []],
    ['a value that is as its name', '{"a":"a","b":["a","a"],"c":"a"}', []],
    ['quotes and brackets in texts', '{"a\\\\":"{\\"a\\"","b":"]\\\\","c":1}', []],
    ['an unfinished text', '{"a":1,"a', []],
    ['no JSON', ']},:"', []],
  ])('%s', (_, text, expected) => expect(duplicates(text)).toEqual(expected))

  it('ends at the depth that no component needs', () => {
    expect(scanJson('['.repeat(200) + ']'.repeat(200))).toEqual([])
    expect(scanJson('['.repeat(100_000))).toEqual([{ kind: 'depth', path: '/0/0/0', offset: 200 }])
  })
})
