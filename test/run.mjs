// "npm test": installs what is missing, runs every check and suite, and ends with one plain line. "npm test -- lint
// e2e" runs some of them, "npm test -- --changed" the checks and the tests for uncommitted files. Runs on plain Node
// 20, before anything is installed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentNode, ensureInstalled, environment, root } from '../main/launch/setup.mjs'
import { plainLine, sum } from './run/count-reports.mjs'
import { slowest } from './run/slowest.mjs'
import { stages } from './run/stages.mjs'

const onlyChanged = process.argv.includes('--changed')
const wanted = process.argv.slice(2).filter((argument) => argument !== '--changed')
/** Number of lines in the table of slow tests. */
const mostSlow = 15
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name))
const folder = mkdtempSync(join(tmpdir(), 'almanac-test-'))
const outcomes = []

if (unknown.length > 0) {
  console.log(
    `Unknown stage ${unknown.join(', ')}. The stages are ${stages.map((stage) => stage.name).join(', ')}.`,
  )
  end({ passed: 0, failed: unknown.length, skipped: 0 })
}
if (!ensureInstalled()) end({ passed: 0, failed: 1, skipped: 0 })

const chosen = stages
  .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  .filter(({ isCheck, changed }) => !onlyChanged || isCheck || changed !== undefined)
const checks = chosen.filter(({ isCheck }) => isCheck)
outcomes.push(...(await sideBySide(checks)))
for (const stage of chosen) if (!stage.isCheck) outcomes.push({ name: stage.name, ...(await outcome(stage)) })

const slow = slowest(
  outcomes.flatMap(({ times = [] }) => times),
  mostSlow,
)
if (slow.length > 0) console.log('\n== slowest')
for (const { title, seconds } of slow)
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${title.replace(`${root}/`, '')}`)

console.log('\n== summary')
for (const { name, seconds, note, failures = [], ...count } of outcomes) {
  console.log(`${name.padEnd(16)} ${plainLine(count)}${note ? ` (${note})` : ` in ${seconds.toFixed(1)} s`}`)
  for (const { title, message } of failures)
    console.log(`  failed: ${title.replace(`${root}/`, '')}: ${message}`)
}
end(sum(outcomes))

/** Each check needs one core and nothing from the others, so two run at a time; each is printed once it is done. */
async function sideBySide(checks) {
  const left = [...checks]
  const done = new Map()
  const lane = async () => {
    for (let check = left.shift(); check !== undefined; check = left.shift())
      done.set(check.name, { name: check.name, ...(await checked(check)) })
  }
  await Promise.all([lane(), lane()])
  return checks.map(({ name }) => done.get(name))
}

async function checked({ name, args, count }) {
  const start = process.hrtime.bigint()
  const { exitCode, output } = await captured(args())
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const counted = count(undefined, exitCode)
  console.log(`\n== ${name}\n${output}-- ${name}: ${plainLine(counted)}`)
  return { ...counted, seconds }
}

/** Runs one stage and streams its output; returns its count, the seconds it took, or why it did not run. */
async function outcome(stage) {
  console.log(`\n== ${stage.name}`)
  const reason = stage.skip?.()
  if (reason) {
    console.log(`skipped: ${reason}`)
    return { passed: 0, failed: 0, skipped: 1, note: reason }
  }
  const missing = stage.prepare?.()
  if (missing) return { passed: 0, failed: 1, skipped: 0, note: missing }
  const path = join(folder, `${stage.name}.json`)
  const start = process.hrtime.bigint()
  const args = [...stage.args(path), ...(onlyChanged && stage.changed ? [stage.changed] : [])]
  const exitCode = await run(args, stage.env?.(path))
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const report = read(path)
  const count = stage.count(report, exitCode)
  console.log(`-- ${stage.name}: ${plainLine(count)}`)
  return { ...count, seconds, failures: stage.failures?.(report) ?? [], times: stage.times?.(report) ?? [] }
}

async function captured(args) {
  let output = ''
  const exitCode = await run(args, {}, (text) => (output += text))
  return { exitCode, output }
}

/** @param {(text: string) => void} [onText] receives the output; if omitted, the output is streamed */
function run(args, env, onText) {
  return new Promise((resolve) => {
    const out = onText === undefined ? 'inherit' : 'pipe'
    const child = spawn(currentNode(), args, {
      cwd: root,
      env: environment(env),
      stdio: ['ignore', out, out],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onText)
    child.on('error', (error) => {
      console.log(error.message)
      resolve(1)
    })
    child.on('close', resolve)
  })
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function end(count) {
  rmSync(folder, { recursive: true, force: true })
  console.log(plainLine(count))
  process.exit(count.failed > 0 ? 1 : 0)
}
