import { describe, expect, it } from 'vitest'
import { jsonParts } from './json-parts.ts'

const long = Array.from({ length: 2500 }, (_, at) => ({ at, text: `"${at}" →`, none: undefined }))

describe('JSON in parts', () => {
  it.each([
    ['nothing', {}],
    ['only what is undefined', { a: undefined }],
    ['short values', { a: 1, b: null, c: [1, 2], d: { e: 'x' }, f: undefined, g: '' }],
    ['a long list first', { changes: long, findings: [], ms: 3 }],
    ['a long list last', { ms: 3, changes: long }],
    ['a list of just one part', { changes: long.slice(0, 1000) }],
    ['a list of a part and one more', { changes: long.slice(0, 1001) }],
    ['lists that are short and empty', { none: [], nested: { deep: [[], {}, [1]] } }],
  ])('equals JSON.stringify for %s', (_, value) => {
    expect([...jsonParts(value)].join('')).toBe(JSON.stringify(value))
    // With indentation, too.
    expect([...jsonParts(value, 2)].join('')).toBe(JSON.stringify(value, null, 2))
  })

  it.each([0, 1, 99, 100, 101, 250])('writes a lazy iterable of %s items as a list', (count) => {
    const items = long.slice(0, count)
    const value = { items: { [Symbol.iterator]: () => items.values() }, after: 1 }
    const plain = { items, after: 1 }
    expect([...jsonParts(value)].join('')).toBe(JSON.stringify(plain))
    expect([...jsonParts(value, 2)].join('')).toBe(JSON.stringify(plain, null, 2))
  })

  it('creates no more items than it writes', () => {
    let itemCount = 0
    function* items(): Iterable<object> {
      for (const item of long) {
        itemCount += 1
        yield item
      }
    }
    const parts = jsonParts({ ms: 3, items: items() })[Symbol.iterator]()
    for (let part = 0; part < 4; part += 1) parts.next()
    expect(itemCount).toBeGreaterThan(0)
    expect(itemCount).toBeLessThan(long.length / 10)
  })

  it('never puts much of a long list into one part', () => {
    const longest = Math.max(...[...jsonParts({ changes: long })].map((part) => part.length))
    expect(longest).toBeLessThan(JSON.stringify(long).length / 2)
  })
})
