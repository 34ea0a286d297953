// A process that saves orders and sends their calls until it is killed:
// node child.ts <org> <folder of the clock> <saves> <point to stop at or "-"> <how often it passes first> <fault or "-"> <halt, pause or hold>
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { enginesOf } from '../../../server/compose/engines.ts'
import { openOutbox } from '../../../server/compose/open-callouts.ts'
import { openOrg } from '../../../server/compose/open-org.ts'
import { newThreads } from '../../../server/compose/threads.ts'
import { haltAt } from '../halt-at.ts'
import { MovedClock } from './moved-clock.ts'
import { plantInCallouts, plantInOrg, plantInWorker } from './planted-faults.ts'
import { watched, type Pass } from './watched-writes.ts'

const [dir = '', clockFolder = '', saves, stop = '-', passes, fault = '-', how] = process.argv.slice(2)
const moved = new MovedClock(clockFolder)
const elapsed = performance.now.bind(performance)
// Leases within the process go on like those in the store.
performance.now = () => elapsed() + moved.movedBy()
const clock = {
  epochMs: () => moved.now(),
  now: () => new Date(moved.now()).toISOString(),
  today: () => new Date(moved.now()).toISOString().slice(0, 10),
}

const opened = openOrg(dir, { worker: true, threads: newThreads, clock })
let left = Number(passes)
const halt = haltAt(stop)
/**
 * One write waits, and the rest of the process goes on: a process that is stopped could have the lock of the records.
 * Neither are claims extended nor other calls claimed from then on.
 */
let held: Promise<void> | null = null
const mayClaim = async (): Promise<void> => {
  if (held !== null) await new Promise(() => undefined)
}
const pass: Pass = (point) => {
  if (held !== null) writeSync(1, `at ${point}\n`)
  if (point !== stop || (left -= 1) !== -1) return
  if (how === 'halt') halt(point)
  writeSync(1, `at ${point}\n`)
  if (how === 'pause') process.kill(process.pid, 'SIGSTOP')
  else return (held = new Promise((release) => process.once('SIGUSR2', release)))
}
const records = { ...opened.records, outbox: watched(opened.records.outbox, pass, mayClaim) }
const org = plantInOrg(fault, { ...opened, records })
const engines = enginesOf(org)
const outbox = openOutbox(plantInWorker(fault, org), {
  callouts: plantInCallouts(fault, engines.outside().callouts),
  ...{ operations: engines.operations, payloads: engines.payloads },
  onJob: () => undefined,
  onError: (error) => {
    const { message } = error as Error
    if (!message.startsWith('Another worker')) writeSync(1, `error ${message}\n`)
  },
})
org.records.followJobs(() => outbox.wake())
writeSync(1, 'open\n')

/** The orders of this process, with the turn of each. */
const orders: { id: string; number: string; turn: number }[] = []

async function save(): Promise<void> {
  const known = Math.random() < 0.5 ? orders[Math.floor(Math.random() * orders.length)] : undefined
  const number = known?.number ?? randomUUID()
  const turn = (known?.turn ?? 0) + 1
  const item =
    known === undefined
      ? ({ op: 'insert', object: 'order', fields: { number, turn: '1' } } as const)
      : ({ op: 'update', object: 'order', id: known.id, fields: { turn: String(turn) } } as const)
  const { results } = await engines.records.save({
    ...{ generation: org.activeGeneration(), user: 'ada', correlationId: 'c', scopePath: {} },
    ...{ items: [item], allOrNone: true, reply: 'ids' },
  })
  const [result] = results
  if (result?.ok !== true) throw new Error(JSON.stringify(result))
  writeSync(1, `saved ${number} ${turn}\n`)
  if (known !== undefined) known.turn = turn
  else orders.push({ id: result.id!, number, turn })
}

process.on('SIGTERM', () => {
  void outbox
    .close()
    .then(() => engines.outside().close())
    .then(() => org.close())
    .then(() => process.exit(0))
})
for (let done = 0; done < Number(saves); done += 1) await save()
// Until it is killed.
setInterval(() => undefined, 1000)
