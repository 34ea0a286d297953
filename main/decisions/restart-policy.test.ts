import { describe, expect, it } from 'vitest'
import { decideRestart } from './restart-policy.ts'

describe('restart of the server', () => {
  it.each([
    ['soon after the first end', [1000], { again: true, delay: 500 }],
    ['later after the second', [1000, 2000], { again: true, delay: 1000 }],
    ['never after five within a minute', [0, 1, 2, 3, 4], { again: false }],
    ['soon again after a quiet minute', [0, 1, 2, 3, 60_010], { again: true, delay: 500 }],
  ])('%s', (_case, ends, expected) => {
    expect(decideRestart(ends)).toEqual(expected)
  })
})
