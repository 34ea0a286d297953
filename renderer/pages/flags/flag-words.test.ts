// The words for a flag's days.
import { expect, it } from 'vitest'
import { daysWords } from './flag-words.ts'

it('shows how long a flag has left, and since when it is frozen', () => {
  expect(daysWords({ state: 'expiring', daysLeft: 9 })).toBe('9 days left')
  expect(daysWords({ state: 'expiring', daysLeft: 0 })).toBe('last day today')
  expect(daysWords({ state: 'frozen', daysLeft: -1 })).toBe('frozen for 1 day')
})
