// Values of a text are counted before they are built, with any texts in it.
import { describe, expect, it } from 'vitest'
import { jsonExtent } from './json-extent.ts'
import { scanJson } from './scan-json.ts'

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

const countOf = (value: unknown): number => jsonExtent(Buffer.from(JSON.stringify(value)), 1000).values

describe('the values of a JSON text', () => {
  it.each(texts)('are counted next to the text %j', (text) => {
    expect(countOf({ a: text, b: [text, 1, { [text]: text }] })).toBe(7)
  })

  it.each(texts)('are scanned next to the text %j', (text) => {
    const json = JSON.stringify(text)
    expect(scanJson(`{"a":${json},"b":${json}}`)).toEqual([])
    expect(scanJson(`{"a":${json},"a":${json}}`)).toMatchObject([{ kind: 'duplicate', path: '/a' }])
  })

  it('are counted up to a text without an end', () => {
    expect(jsonExtent(Buffer.from('[1,2,"\\",3,4'), 1000).values).toBe(4)
  })

  it('are nested as deeply as their brackets, without those in texts', () => {
    expect(jsonExtent(Buffer.from('{"[":["]]]",[{}],"[[["]}'), 1000).depth).toBe(4)
    expect(jsonExtent(Buffer.from('['.repeat(500)), 1000).depth).toBe(500)
  })
})
