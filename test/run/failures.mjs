// Which tests failed, from a runner's JSON report, so that the end of a long run lists them.

/** @typedef {{ title: string, message: string }} Failure */

/**
 * @param {object | undefined} report of "vitest --reporter=json"
 * @returns {Failure[]}
 */
export function failuresOfVitest(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && file.status === 'failed')
      return [{ title: file.name, message: firstLine(file.message) }]
    return failed.map(({ fullName, failureMessages }) => ({
      title: `${file.name} › ${fullName.trim()}`,
      message: firstLine(failureMessages?.[0]),
    }))
  })
}

/**
 * @param {object | undefined} report of "playwright test --reporter=json"
 * @returns {Failure[]} including flaky tests, because they count as failed
 */
export function failuresOfPlaywright(report) {
  return (report?.suites ?? []).flatMap((suite) => failuresIn(suite))
}

function failuresIn({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => ({
        title: `${file}:${line} › ${title}`,
        message: messageOf(results.find(({ error }) => error !== undefined)?.error),
      })),
  )
  return [...own, ...suites.flatMap((suite) => failuresIn(suite))]
}

/** With the line that failed, because an action such as a click may occur many times in a test. */
function messageOf(error) {
  const message = firstLine(error?.message)
  return error?.location === undefined ? message : `${message} (line ${error.location.line})`
}

/** Removes colours. */
function firstLine(message = '') {
  // eslint-disable-next-line no-control-regex -- the escape that begins a colour
  return (message.replace(/\u001b\[[0-9;]*m/g, '').split('\n')[0] ?? '').trim()
}
