// Which tests took longest, from a runner's JSON report.

/** @typedef {{ title: string, seconds: number }} Taken */

/**
 * @param {object | undefined} report of "vitest --reporter=json"
 * @returns {Taken[]}
 */
export function timesOfVitest(report) {
  return (report?.testResults ?? []).flatMap((file) =>
    file.assertionResults.map(({ fullName, duration }) => ({
      title: `${file.name} › ${fullName.trim()}`,
      seconds: (duration ?? 0) / 1000,
    })),
  )
}

/**
 * @param {object | undefined} report of "playwright test --reporter=json"
 * @returns {Taken[]}
 */
export function timesOfPlaywright(report) {
  return (report?.suites ?? []).flatMap((suite) => timesIn(suite))
}

function timesIn({ specs = [], suites = [] }) {
  const own = specs.map(({ file, line, title, tests }) => ({
    title: `${file}:${line} › ${title}`,
    seconds: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000,
  }))
  return [...own, ...suites.flatMap((suite) => timesIn(suite))]
}

/**
 * The slowest tests of all stages, slowest first.
 * @param {Taken[]} taken
 * @param {number} most
 */
export function slowest(taken, most) {
  return [...taken].sort((a, b) => b.seconds - a.seconds).slice(0, most)
}
