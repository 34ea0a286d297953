// Values of a text are counted before they are built, with any texts in it.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainExtent, jsonExtent } from './json-extent.ts'
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

/** By walking the value. */
function walked(value: unknown): { depth: number; values: number } {
  if (value === null || typeof value !== 'object') return { depth: 0, values: 1 }
  const below = Object.values(value).map(walked)
  return {
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
    values: 1 + below.reduce((sum, { values }) => sum + values, 0),
  }
}

describe('the extent of a JSON text', () => {
  it('is that of its value, but an empty list or object can count twice', () => {
    const space = fc.constantFrom(undefined, 1)
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), space, (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const { depth, values } = jsonExtent(Buffer.from(text), 100_000)
        const exact = walked(value)
        const empty = text.match(/\[\]|\{\}/g)?.length ?? 0
        expect(depth).toBe(exact.depth)
        expect(values).toBeGreaterThanOrEqual(exact.values)
        expect(values).toBeLessThanOrEqual(exact.values + empty)
      }),
    )
  })

  it('is explained', () => {
    const explain = (text: string, most: number) => explainExtent(Buffer.from(text), most)
    expect(explain('[1,2]', 3)).toBeNull()
    expect(explain('[1,2,3]', 3)).toBe('has more than 3 values')
    expect(explain('['.repeat(201) + ']'.repeat(201), 1000)).toBe('is nested more than 200 levels deep')
    expect(explain('['.repeat(200) + ']'.repeat(200), 1000)).toBeNull()
  })
})
