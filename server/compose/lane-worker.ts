// The worker's side of a lane: one request at a time, with all engines over a separate connection.
import type { Finding } from '#kernel/errors/finding.ts'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { createLongReads } from './long-reads.ts'
import { limitItems, type LaneRequest, type LaneWorkerData, type FindingsReply } from './lanes.ts'
import { enginesOf } from './engines.ts'
import { openOrg, openDeps } from './open-org.ts'
import { deserializeError, serializeError } from './worker-calls.ts'
import type { WorkerMessage, PoolMessage } from './worker-pool.ts'
import {
  createEventHub,
  createMetrics,
  createProblems,
  createReadiness,
  createThrottle,
  createKnownDevices,
  runLaneCall,
  silentLog,
  type StudioEvent,
  type Problems,
  type Services,
  type Site,
} from '../http/index.ts'
import type { WriteRunner } from '../pipeline/index.ts'
import { limitGcPauses, operatorName, lowerThreadPriority, systemRandom } from '../system/index.ts'

/** A worker whose heap exceeds this is replaced, which frees its memory. */
const maxHeapBytes = 192 * 1024 * 1024

const { dir, version, checkReplies, lane } = workerData as LaneWorkerData
const port = parentPort!
lowerThreadPriority()
limitGcPauses()

const asks = new Map<number, (data: unknown) => void>()
let nextAsk = 1

function ask(name: string, data: unknown): Promise<unknown> {
  const id = nextAsk++
  return new Promise((resolve) => {
    asks.set(id, resolve)
    post({ kind: 'ask', id, name, data })
  })
}

function post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

/** Events of the running request; sent at its end, so that a large import is one message. */
let pendingEvents: StudioEvent[] = []

/** The turn of the readers' thread, held from the first write of a request to its end. */
let heldWriteAccess: Promise<unknown> | null = null
const writeQueue: WriteRunner = {
  run: async (work) => {
    await (heldWriteAccess ??= ask('turn', null))
    return work()
  },
}

/** A worker is reached only by its server. */
const site: Site = {
  hosts: null,
  scheme: 'http',
  loopback: false,
  port: 0,
  cookieSuffix: '',
  behindProxy: false,
}
let problemsHere: Problems
const services = servicesOf()

/** Findings as cached by the readers' thread; computing them again in this lane would block others. */
async function cachedProblems(actor: string): Promise<Finding[]> {
  const sent = (await ask('problems', actor)) as FindingsReply
  if ('error' in sent) throw deserializeError(sent.error)
  return sent.findings
}

function servicesOf(): Services {
  const org = openOrg(dir, { writeQueue })
  const plan = org.plan.bind(org)
  const bounded = { ...org, plan: (request: Parameters<typeof plan>[0]) => plan(limitItems(request)) }
  problemsHere = createProblems(bounded)
  const events = createEventHub()
  events.subscribe((each) => pendingEvents.push(each))
  org.onDraftChange((data) => events.publish({ event: 'draft', data }))
  const metrics = { ...createMetrics(), observeApply: (ms: number) => void ask('observeApply', ms) }
  return {
    ...enginesOf(bounded),
    longReads: createLongReads(openDeps(dir)),
    lanes: null,
    ...{ store: org.store, clock: org.clock, ids: org.ids },
    site,
    ...{ link: null, studioFolder: null, events, metrics, version, checkReplies },
    // Sign-ins are never handled here: the caller is known before a request is sent to a worker.
    ...{ throttle: createThrottle(() => Date.now()), accountThrottle: createThrottle(() => Date.now()) },
    devices: createKnownDevices(site, systemRandom, () => Date.now()),
    problems: lane === 'quick' ? createProblems(bounded, cachedProblems) : problemsHere,
    operatorName: operatorName(),
    readiness: createReadiness({ org, elapsed: () => performance.now() }),
    log: silentLog,
  }
}

port.on('message', (message: PoolMessage) => {
  if (message.kind === 'call') return void answer(message.request as LaneRequest)
  asks.get(message.id)?.(message.data)
  asks.delete(message.id)
})

async function answer(request: LaneRequest): Promise<void> {
  heldWriteAccess = null
  pendingEvents = []
  try {
    await services.org.refresh()
    const found =
      request.kind === 'route'
        ? await runLaneCall(services, request.call)
        : await problemsHere.all(request.actor)
    if (pendingEvents.length > 0) await ask('studio_events', pendingEvents)
    const bytes = 'bytes' in found && found.bytes !== undefined ? [found.bytes.buffer as ArrayBuffer] : []
    const spent = getHeapStatistics().total_heap_size > maxHeapBytes
    post({ kind: 'answer', answer: found, spent }, bytes)
  } catch (error) {
    post({ kind: 'error', error: serializeError(error) })
  }
}

post({ kind: 'ready' })
