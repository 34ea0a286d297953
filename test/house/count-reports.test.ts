// The last line of "npm test" must not flatter: whatever fails is in the count.
import { describe, expect, it } from 'vitest'
import { countCheck, countPlaywright, countVitest, plainLine, sum } from '../run/count-reports.mjs'

const green = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 2, numTodoTests: 1, testResults: [] }

describe('counts of reports', () => {
  it.each([
    ['a green run', countVitest(green, 0), { passed: 7, failed: 0, skipped: 3 }],
    ['failed tests', countVitest({ ...green, numFailedTests: 2 }, 1), { passed: 7, failed: 2, skipped: 3 }],
    [
      'a file that could not be loaded',
      countVitest({ ...green, testResults: [{ status: 'failed', assertionResults: [] }] }, 1),
      { passed: 7, failed: 1, skipped: 3 },
    ],
    ['a runner that fails with green tests', countVitest(green, 1), { passed: 7, failed: 1, skipped: 3 }],
    ['a killed runner', countVitest(green, null), { passed: 7, failed: 1, skipped: 3 }],
    ['a runner that leaves no report', countVitest(undefined, 0), { passed: 0, failed: 1, skipped: 0 }],
    [
      'a flaky browser test',
      countPlaywright({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 1 } }, 1),
      { passed: 3, failed: 2, skipped: 1 },
    ],
    ['a browser run without a report', countPlaywright(undefined, 1), { passed: 0, failed: 1, skipped: 0 }],
    ['a check that holds', countCheck(0), { passed: 1, failed: 0, skipped: 0 }],
    ['a check that does not', countCheck(2), { passed: 0, failed: 1, skipped: 0 }],
  ])('%s', (_what, count, expected) => {
    expect(count).toEqual(expected)
  })

  it('adds up to one plain line', () => {
    const total = sum([countCheck(0), countCheck(1), countVitest(green, 0)])
    expect(plainLine(total)).toBe('8 passed, 1 failed, 3 skipped')
    expect(plainLine({ passed: 4, failed: 0, skipped: 0 })).toBe('4 passed, 0 failed')
  })
})
