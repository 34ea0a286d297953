// The last line of "npm test" counts every failure.
import { describe, expect, it } from 'vitest'
import { countCheck, countPlaywright, countVitest, plainLine, sum } from '../run/count-reports.mjs'
import { failuresOfPlaywright, failuresOfVitest } from '../run/failures.mjs'
import { slowest, timesOfPlaywright, timesOfVitest } from '../run/slowest.mjs'

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
    ['a check that passes', countCheck(0), { passed: 1, failed: 0, skipped: 0 }],
    ['a check that fails', countCheck(2), { passed: 0, failed: 1, skipped: 0 }],
  ])('%s', (_what, count, expected) => {
    expect(count).toEqual(expected)
  })

  it('adds up to one plain line', () => {
    const total = sum([countCheck(0), countCheck(1), countVitest(green, 0)])
    expect(plainLine(total)).toBe('8 passed, 1 failed, 3 skipped')
    expect(plainLine({ passed: 4, failed: 0, skipped: 0 })).toBe('4 passed, 0 failed')
  })
})

describe('names of failed tests', () => {
  it('are those of the tests and of files that could not be loaded', () => {
    const report = {
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: ' one' },
            { status: 'failed', fullName: ' two', failureMessages: ['\u001b[31mError: no\u001b[39m\n at x'] },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'Cannot find c\nmore', assertionResults: [] },
        { name: 'd.test.ts', status: 'passed', assertionResults: [] },
      ],
    }
    expect(failuresOfVitest(report)).toEqual([
      { title: 'a.test.ts › two', message: 'Error: no' },
      { title: 'b.test.ts', message: 'Cannot find c' },
    ])
    expect(failuresOfVitest(undefined)).toEqual([])
  })

  it('are those of browser tests in every suite, flaky ones too', () => {
    const spec = (title: string, status: string) => ({
      ...{ file: 'x.spec.ts', line: 3, title },
      tests: [{ status, results: [{}, { error: { message: 'Error: too late\n at x' } }] }],
    })
    const inner = { specs: [spec('b', 'flaky'), spec('c', 'expected')] }
    const report = { suites: [{ specs: [spec('a', 'unexpected')], suites: [inner] }] }
    expect(failuresOfPlaywright(report)).toEqual([
      { title: 'x.spec.ts:3 › a', message: 'Error: too late' },
      { title: 'x.spec.ts:3 › b', message: 'Error: too late' },
    ])
  })
})

describe('the slowest tests', () => {
  it('lists those of all runners, slowest first; the turns of one test are added up', () => {
    const vitest = {
      testResults: [
        {
          name: 'a.test.ts',
          assertionResults: [
            { fullName: ' quick', duration: 20 },
            { fullName: ' slow', duration: 4000 },
            { fullName: ' skipped' },
          ],
        },
      ],
    }
    const spec = { file: 'x.spec.ts', line: 3, title: 'b' }
    const results = [{ duration: 2000 }, { duration: 2500 }]
    const playwright = { suites: [{ suites: [{ specs: [{ ...spec, tests: [{ results }] }] }] }] }
    expect(slowest([...timesOfVitest(vitest), ...timesOfPlaywright(playwright)], 3)).toEqual([
      { title: 'x.spec.ts:3 › b', seconds: 4.5 },
      { title: 'a.test.ts › slow', seconds: 4 },
      { title: 'a.test.ts › quick', seconds: 0.02 },
    ])
    expect([...timesOfVitest(undefined), ...timesOfPlaywright(undefined)]).toEqual([])
  })
})
