// Values of a body are counted before they are built, with any texts in it.
import { describe, expect, it } from 'vitest'
import { scanJson } from '#kernel/components/scan-json.ts'
import { countElements } from './parse-body.ts'

const texts = [
  '',
  '"',
  '\\',
  '\\"',
  '"\\',
  '\\\\"',
  'a"b',
  ',[{',
  '",',
  '\\",\\',
  '"'.repeat(9),
  '\\'.repeat(9),
]

const countOf = (value: unknown): number => countElements(Buffer.from(JSON.stringify(value)), 1000)

describe('the values of a body', () => {
  it.each(texts)('are counted next to the text %j', (text) => {
    expect(countOf({ a: text, b: [text, 1, { [text]: text }] })).toBe(7)
  })

  it.each(texts)('are scanned next to the text %j', (text) => {
    const json = JSON.stringify(text)
    expect(scanJson(`{"a":${json},"b":${json}}`)).toEqual([])
    expect(scanJson(`{"a":${json},"a":${json}}`)).toMatchObject([{ kind: 'duplicate', path: '/a' }])
  })

  it('are counted up to a text without an end', () => {
    expect(countElements(Buffer.from('[1,2,"\\",3,4'), 1000)).toBe(4)
  })
})
