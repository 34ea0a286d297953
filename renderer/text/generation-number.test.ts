import { expect, it } from 'vitest'
import { parseGenerationNumber } from './generation-number.ts'

it('a generation is a whole number in digits', () => {
  expect(['7', '0', '12345'].map(parseGenerationNumber)).toEqual([7, 0, 12345])
  for (const text of ['', 'abc', '1.5', '1e3', '-1', ' 7', '0x10', '9'.repeat(12)])
    expect(parseGenerationNumber(text), text).toBeNull()
})
