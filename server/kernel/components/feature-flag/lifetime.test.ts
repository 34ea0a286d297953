import { describe, expect, it } from 'vitest'
import { daysLeft, flagState } from './lifetime.ts'

describe('a flag’s lifetime', () => {
  it.each([
    ['2026-11-20', -1, 'frozen'],
    ['2026-11-21', 0, 'expiring'],
    ['2026-12-21', 30, 'expiring'],
    ['2026-12-22', 31, 'active'],
  ])('of a flag that ends on %s: %i days left, %s', (expiresOn, left, state) => {
    expect([daysLeft(expiresOn, '2026-11-21'), flagState(expiresOn, '2026-11-21')]).toEqual([left, state])
  })
})
