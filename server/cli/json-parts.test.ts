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
  ])('is what JSON.stringify gives, of %s', (_, value) => {
    expect([...jsonParts(value)].join('')).toBe(JSON.stringify(value))
  })

  it('never holds much of a long list in one part', () => {
    const longest = Math.max(...[...jsonParts({ changes: long })].map((part) => part.length))
    expect(longest).toBeLessThan(JSON.stringify(long).length / 2)
  })
})
