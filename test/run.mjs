// "npm test": installs what is missing, runs every check and suite, and ends with one plain line. "npm test -- lint
// e2e" runs some of them, "npm test -- --changed" the checks and the tests for uncommitted files. Runs on plain Node
// 20, before anything is installed.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentNode, ensureInstalled, environment, root } from '../main/launch/setup.mjs'
import { plainLine, sum } from './run/count-reports.mjs'
import { slowest } from './run/slowest.mjs'
import { stages } from './run/stages.mjs'
import { makeTempFolder } from './run/temp-folder.mjs'

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
const paired = chosen.filter(({ needs }) => needs === 'one core')
outcomes.push(...(await inPairs(paired)))
for (const stage of chosen)
  if (!paired.includes(stage)) outcomes.push({ name: stage.name, ...(await outcome(stage)) })

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

/** Runs two stages at a time, and prints each once it is done. */
async function inPairs(stages) {
  const left = [...stages]
  const done = new Map()
  const lane = async () => {
    for (let stage = left.shift(); stage !== undefined; stage = left.shift()) {
      let output = ''
      const result = await outcome(stage, (text) => (output += text))
      process.stdout.write(output)
      done.set(stage.name, { name: stage.name, ...result })
    }
  }
  await Promise.all([lane(), lane()])
  return stages.map(({ name }) => done.get(name))
}

/**
 * Runs one stage; returns its count, the seconds it took, or why it did not run.
 * @param {(text: string) => void} [onText] receives the output; if omitted, the output is streamed
 */
async function outcome(stage, onText) {
  const print = onText ?? ((text) => process.stdout.write(text))
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
  const exitCode = await run(args, stage.env?.(path), onText)
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const report = read(path)
  const count = stage.count(report, exitCode)
  print(`-- ${stage.name}: ${plainLine(count)}\n`)
  return { ...count, seconds, failures: stage.failures?.(report) ?? [], times: stage.times?.(report) ?? [] }
}

/** @param {(text: string) => void} [onText] receives the output; if omitted, the output is streamed */
function run(args, env, onText) {
  return new Promise((resolve) => {
    const out = onText === undefined ? 'inherit' : 'pipe'
    const child = spawn(currentNode(), args, {
      cwd: root,
      env: environment({ ...env, TMPDIR: folder }),
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
  console.log(plainLine(count))
  process.exit(count.failed > 0 ? 1 : 0)
}
