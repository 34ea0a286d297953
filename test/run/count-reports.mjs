// What a runner's JSON report contains, in numbers. A report that is missing, or names no failure of a failed run,
// counts as one failure.

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * @param {object | undefined} report of "vitest --reporter=json"
 * @param {number | null} exitCode
 * @returns {Count}
 */
export function countVitest(report, exitCode) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  // A file that could not be loaded has no tests in it, but did fail.
  const broken = (report.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return honest(exitCode, {
    passed: report.numPassedTests ?? 0,
    failed: (report.numFailedTests ?? 0) + broken.length,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  })
}

/**
 * @param {object | undefined} report of "playwright test --reporter=json"
 * @param {number | null} exitCode
 * @returns {Count}
 */
export function countPlaywright(report, exitCode) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report.stats ?? {}
  return honest(exitCode, { passed: expected, failed: unexpected + flaky, skipped })
}

/**
 * @param {number | null} exitCode of a check that passes or fails
 * @returns {Count}
 */
export function countCheck(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

/**
 * Adds up counts.
 * @param {Count[]} counts
 * @returns {Count}
 */
export function sum(counts) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const count of counts) {
    for (const outcome of Object.keys(total)) total[outcome] += count[outcome]
  }
  return total
}

/** The plain last line, as in "12 passed, 0 failed, 1 skipped". @param {Count} count */
export function plainLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

function honest(exitCode, count) {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}
