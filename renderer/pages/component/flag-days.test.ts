import { describe, expect, it } from 'vitest'
import { flagWords } from './flag-days.ts'

const today = '2026-11-23'

describe('the days of a flag', () => {
  it.each([
    ['2027-02-21', '2027-02-21', '90 days left: it expires on 21 Feb 2027.'],
    ['', '2026-11-23', '0 days left: it expires on 23 Nov 2026.'],
    ['2026-05-31', '2026-05-31', 'Frozen since it expired on 31 May 2026: its value'],
    ['2026-05-31', '2027-02-21', 'The draft extends it to 21 Feb 2027'],
    ['2027-02-21', '2026-05-31', 'The draft ends it on 31 May 2026, which has passed'],
    ['', 'soon', ''],
  ])('%s active, %s drafted', (active, drafted, words) => {
    const text = flagWords(active, drafted, today)
    if (words === '') expect(text).toBe('')
    else expect(text).toContain(words)
    // Never both at once.
    expect(/left:/.test(text) && /[Ff]rozen/.test(text)).toBe(false)
  })
})
