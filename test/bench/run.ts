// npm run bench: every part runs in a separate process; the table goes to the terminal and to docs/benchmarks.md.
// npm run bench:peers installs the peers first, and measures against them too.
// Options: --only resolve,prepare (some parts), --no-write (no page), --quick (one turn each, no page: only to check
// that everything runs and returns the right results). npm run bench:studio builds the studio and measures it.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pc from 'picocolors'
import { beQuick } from './support/compare.ts'
import type { Part, PartReport } from './support/part.ts'
import { machine, whenAndWhere } from './support/machine.ts'
import { printed, writePage } from './support/page.ts'
import { bulkPart } from './rows/bulk.ts'
import { bulkServerPart } from './rows/bulk-server.ts'
import { calloutsPart } from './rows/callouts.ts'
import { dataApiPart } from './rows/data-api.ts'
import { descriptionPart } from './rows/description.ts'
import { digestPart } from './rows/digest.ts'
import { eventsPart } from './rows/events.ts'
import { impactPart } from './rows/impact.ts'
import { largeOrgPart } from './rows/large-org.ts'
import { outboxPart } from './rows/outbox.ts'
import { peersPart } from './rows/peers.ts'
import { preparePart } from './rows/prepare.ts'
import { readersPart } from './rows/readers.ts'
import { recordsPart } from './rows/records.ts'
import { replayPart } from './rows/replay.ts'
import { savesWhileApplyingPart } from './rows/saves-while-applying.ts'
import { resolvePart } from './rows/resolve.ts'
import { webhooksPart } from './rows/webhooks.ts'
import { virtualPart } from './rows/virtual.ts'
import { terraformPart } from './rows/terraform.ts'
import { lookupPart } from './lookup/lookup-part.ts'
import { studioPart } from './studio/studio-part.ts'

const parts: readonly Part[] = [
  resolvePart,
  peersPart,
  preparePart,
  largeOrgPart,
  readersPart,
  terraformPart,
  digestPart,
  replayPart,
  recordsPart,
  impactPart,
  savesWhileApplyingPart,
  dataApiPart,
  bulkPart,
  bulkServerPart,
  eventsPart,
  webhooksPart,
  virtualPart,
  calloutsPart,
  outboxPart,
  descriptionPart,
  lookupPart,
  studioPart,
]

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    'no-write': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    part: { type: 'string' },
  },
})

process.exitCode = options.part === undefined ? await runAll(chosen()) : await runPart(options.part)

function chosen(): readonly Part[] {
  if (options.only === undefined) return parts.filter((part) => part !== studioPart)
  return options.only.split(',').map((name) => {
    const part = parts.find((each) => each.name === name.trim())
    if (part === undefined)
      throw new Error(
        `The part "${name}" does not exist. The parts: ${parts.map((each) => each.name).join(', ')}.`,
      )
    return part
  })
}

async function runAll(selected: readonly Part[]): Promise<number> {
  console.error(machine())
  let failed = 0
  for (const part of selected) {
    console.log(`\n${pc.bold(part.title)}`)
    try {
      const report = await inChild(part)
      console.log(printed(report))
      const write = !options['no-write'] && !options.quick && report.lines.length > 0
      if (write) await writePage(parts, part, report, whenAndWhere())
    } catch (error) {
      failed += 1
      console.log(pc.red(`Not measured: ${(error as Error).message}`))
    }
  }
  return failed === 0 ? 0 : 1
}

/** One process per part: a part's heap and compiled code do not affect the next one. */
function inChild(part: Part): Promise<PartReport> {
  return new Promise((resolve, reject) => {
    const args = [import.meta.filename, '--part', part.name, ...(options.quick ? ['--quick'] : [])]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    let report: PartReport | undefined
    child.on('message', (message) => (report = message as PartReport))
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0 && report !== undefined) resolve(report)
      else reject(new Error(`the part ${part.name} ended with exit code ${code}; see its message above.`))
    })
  })
}

async function runPart(name: string): Promise<number> {
  const part = parts.find((each) => each.name === name)!
  if (options.quick) beQuick()
  const folder = mkdtempSync(join(tmpdir(), `almanac-bench-${name}-`))
  try {
    const say = (text: string): void => console.error(pc.dim(`  ${text}`))
    const report = await part.run({ folder, say })
    await new Promise((sent) => process.send!(report, sent))
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
    process.disconnect()
  }
}
