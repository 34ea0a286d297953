// The number of records of a list in words.
import { expect, it } from 'vitest'
import { totalWords } from './use-record-count.ts'

it('shows that there can be more where counting ended', () => {
  expect([999, 1000].map((total) => totalWords(total, 1000))).toEqual(['999', '1,000+'])
  expect(totalWords(3000, 10_000)).toBe('3,000')
})
