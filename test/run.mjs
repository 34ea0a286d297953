// "npm test": installs what is missing, runs every check and suite, and ends with one plain line. "npm test -- lint
// e2e" runs some of them, "npm test -- --changed" the checks and the tests for uncommitted files. Runs on plain Node
// 20, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentNode, ensureInstalled, environment, root } from '../main/launch/setup.mjs'
import { plainLine, sum } from './run/count-reports.mjs'
import { slowest } from './run/slowest.mjs'
import { stages } from './run/stages.mjs'
import { makeTempFolder } from './run/temp-folder.mjs'
import { bundledFlag, runners } from './support/bundled.mjs'

const onlyChanged = process.argv.includes('--changed')
const wanted = process.argv.slice(2).filter((argument) => argument !== '--changed')
/** Number of lines in the table of slow tests. */
const mostSlow = 15
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name))
const folder = makeTempFolder()
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
bundleServers()
outcomes.push(...(await inTwoLanes(chosen)))

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

/** Writes the servers that tests start, once for all stages. If that fails, the stages that need them report why. */
function bundleServers() {
  if (!chosen.some(({ isBundled }) => isBundled)) return
  const bundle = spawnSync(currentNode(), [join(root, 'test', 'support', 'bundle-servers.mjs')], {
    env: environment(),
    stdio: 'inherit',
  })
  if (bundle.status !== 0) return
  for (const runner of runners) process.env[bundledFlag(runner)] = 'yes'
}

/** Runs two stages at a time in their order, and prints each once it is done. */
async function inTwoLanes(stages) {
  const waiting = [...stages]
  const started = new Map()
  const runAndPrint = async (stage) => {
    await started.get(stage.after)
    console.log(`.. ${stage.name}`)
    let output = ''
    const result = await outcome(stage, (text) => (output += text))
    process.stdout.write(output)
    return { name: stage.name, ...result }
  }
  const lane = async () => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
      started.set(stage.name, runAndPrint(stage))
      await started.get(stage.name)
    }
  }
  await Promise.all([lane(), lane()])
  return Promise.all(stages.map(({ name }) => started.get(name)))
}

/**
 * Runs one stage; returns its count, the seconds it took, or why it did not run.
 * @param {(text: string) => void} print receives the output
 */
async function outcome(stage, print) {
  print(`\n== ${stage.name}\n`)
  const reason = stage.skip?.()
  if (reason) {
    print(`skipped: ${reason}\n`)
    return { passed: 0, failed: 0, skipped: 1, note: reason }
  }
  const missing = stage.prepare?.()
  if (missing) return { passed: 0, failed: 1, skipped: 0, note: missing }
  const path = join(folder, `${stage.name}.json`)
  const start = process.hrtime.bigint()
  const args = [...stage.args(path), ...(onlyChanged && stage.changed ? [stage.changed] : [])]
  const exitCode = await run(args, stage.env?.(path), print)
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const report = read(path)
  const count = stage.count(report, exitCode)
  print(`-- ${stage.name}: ${plainLine(count)}\n`)
  return { ...count, seconds, failures: stage.failures?.(report) ?? [], times: stage.times?.(report) ?? [] }
}

/** @param {(text: string) => void} print receives the output */
function run(args, env, print) {
  return new Promise((resolve) => {
    const child = spawn(currentNode(), args, {
      cwd: root,
      env: environment({ ...env, TMPDIR: folder }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print)
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
  console.log(plainLine(count))
  process.exit(count.failed > 0 ? 1 : 0)
}
