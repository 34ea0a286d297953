// A server in a separate process that measures itself: how long one turn of its readers' thread takes, and its memory.
import { readFileSync, writeFileSync } from 'node:fs'
import { performance as loop } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startServer } from '../../server/index.ts'
import { mostWork } from './bounds.ts'
import { endWithParent } from './end-with-parent.ts'
import { machineSpeed } from './machine-speed.ts'
import { plantFaults } from './planted-faults.ts'

export interface Ready {
  listening: string
  open: string
}

export interface Measured {
  /**
   * Highest processor milliseconds of the readers' thread in one turn of its event loop; if they exceed the bound, as
   * many as they are at the speed where the bound was set.
   */
  work: number
  /** Highest milliseconds that a turn took beyond its processor time. */
  slept: number
  /** Highest growth of the process in megabytes. */
  grown: number
}

/** `collect` collects garbage first, so that it does not count. */
export type Command = 'collect' | 'start' | 'stop' | 'end'

const [org, root, planted] = process.argv.slice(2) as [string, string, string]
endWithParent(org)
if (planted === 'planted') plantFaults()
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const server = await startServer({
  limitsClients: false,
  ...{ org, root, host: '127.0.0.1', port: 0, studio: true, sample: true },
})

let work = 0
let slept = 0
let base = 0
let lastWork = threadTime()
let lastActive = activeTime()

function look(): void {
  const [nowWork, nowActive] = [threadTime(), activeTime()]
  work = Math.max(work, nowWork - lastWork)
  slept = Math.max(slept, nowActive - lastActive - (nowWork - lastWork))
  lastWork = nowWork
  lastActive = nowActive
}
setInterval(look, 1)

function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function activeTime(): number {
  return loop.eventLoopUtilization().active
}

/** `VmHWM` is the peak since it was reset; other systems show only the current value. */
function megabytes(name: 'VmRSS' | 'VmHWM'): number {
  try {
    const found = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))
    return Number(found![1]) / 1024
  } catch {
    return process.memoryUsage.rss() / 1024 / 1024
  }
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // This system has no peak that can be reset; the growth is then the difference at the end.
  }
}

function start(): void {
  resetPeak()
  base = megabytes('VmRSS')
  look()
  work = 0
  slept = 0
}

function stop(): Measured {
  look()
  const grown = Math.max(0, megabytes('VmHWM') - base)
  return { work: work > mostWork ? work * machineSpeed() : work, slept, grown }
}

process.on('message', (command: Command) => {
  if (command === 'end') return void server.close().then(() => process.exit(0))
  if (command === 'stop') return void process.send!(stop())
  if (command === 'collect') collect()
  start()
  process.send!(true)
})
start()
process.send!({ listening: server.listening, open: server.open! } satisfies Ready)
