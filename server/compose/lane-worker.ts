// The worker's side of a lane: one request at a time, with all engines over a separate connection.
import type { Finding } from '#kernel/errors/finding.ts'
import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { createLongReads } from './long-reads.ts'
import type {
  FindingsReply,
  LaneImportReply,
  LaneRequest,
  LaneWorkerData,
  SourceAsk,
  SourceReply,
} from './lanes.ts'
import type { CallSource } from './remote-sources.ts'
import type { RemoteResponse } from '../virtual/index.ts'
import { limitItems } from './limit-items.ts'
import { enginesOf } from './engines.ts'
import { openOrg, openDeps } from './open-org.ts'
import { signingKeyCheck } from './signing-key-check.ts'
import { closedMessage } from './threads.ts'
import { deserializeError, serializeError } from '#kernel/errors/serialized-error.ts'
import type { WorkerMessage, PoolMessage } from './worker-pool.ts'
// Not through its index, which loads Express: a thread does not listen.
import { createCallerCache } from '../http/caller-cache.ts'
import { createEventHub, type StudioEvent } from '../http/event-hub.ts'
import { createKnownDevices } from '../http/known-devices.ts'
import { createKnownKeys } from '../http/known-keys.ts'
import { silentLog } from '../http/log.ts'
import { createMetrics } from '../http/metrics.ts'
import { createMoments } from '../http/moments.ts'
import { createReadiness } from '../http/readiness.ts'
import { runLaneCall } from '../http/run-lane-call.ts'
import type { Services } from '../http/services.ts'
import type { Site } from '../http/site.ts'
import { createThrottle } from '../http/throttle.ts'
import { createProblems, type Problems } from '../http/views/problems.ts'
import { readFindings, shareFindings } from '../http/views/shared-findings.ts'
import type { PipelineDeps, WriteRunner } from '../pipeline/index.ts'
import type { ImportRunner } from '../service-import/index.ts'
import { limitGcPauses, operatorName, lowerThreadPriority, systemRandom } from '../system/index.ts'

/** A worker whose heap exceeds this is replaced, which frees its memory. */
const maxHeapBytes = 192 * 1024 * 1024

const port = parentPort!
lowerThreadPriority()
limitGcPauses()

function post(message: WorkerMessage | typeof closedMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

/** A worker is reached only by its server. */
const site: Site = {
  hosts: new Set(),
  scheme: 'http',
  publicUrl: null,
  issuer: '',
  loopback: false,
  port: 0,
  cookieSuffix: '',
  behindProxy: false,
}

/** Everything that a worker has open for one server. */
class LaneWorker {
  readonly #asks = new Map<number, (data: unknown) => void>()
  #nextAsk = 1
  /** Events of the running request; sent at its end, so that a large import is one message. */
  #pendingEvents: StudioEvent[] = []
  /** The turn of the readers' thread, held from the first write of a request to its end. */
  #heldWriteAccess: Promise<unknown> | null = null
  readonly #longDeps: PipelineDeps
  readonly #problems: Problems
  readonly #services: Services

  constructor({ dir, version, checkReplies, lane }: LaneWorkerData) {
    const writeQueue: WriteRunner = {
      run: async (work) => {
        await (this.#heldWriteAccess ??= this.#ask('turn', null))
        return work()
      },
    }
    const org = openOrg(dir, { writeQueue })
    const plan = org.plan.bind(org)
    const bounded = { ...org, plan: (request: Parameters<typeof plan>[0]) => plan(limitItems(request)) }
    this.#problems = createProblems(bounded)
    this.#longDeps = openDeps(dir)
    const events = createEventHub()
    events.subscribe((each) => this.#pendingEvents.push(each))
    org.onDraftChange((data) => events.publish({ event: 'draft', data }))
    const metrics = { ...createMetrics(), observeApply: (ms: number) => void this.#ask('observeApply', ms) }
    // The readers' thread has the secrets, and the rule for addresses.
    const importServices: ImportRunner = async (...asked) => {
      const sent = (await this.#ask('import', asked)) as LaneImportReply
      if ('error' in sent) throw deserializeError(sent.error)
      return sent.imports
    }
    const callSource: CallSource = (...call) => this.#callSource(...call)
    const engines = enginesOf(bounded, { importServices, callSource })
    const { cursorKey } = engines
    this.#services = {
      ...engines,
      longReads: createLongReads(this.#longDeps, { records: org.records, cursorKey }),
      lanes: null,
      ...{ store: org.store, clock: org.clock, ids: org.ids },
      site,
      ...{ link: null, studioFolder: null, events, metrics, spans: null, version, checkReplies },
      // Sign-ins are never handled here: the caller is known before a request is sent to a worker.
      ...{ throttle: createThrottle(() => Date.now()), accountThrottle: createThrottle(() => Date.now()) },
      ...{ keyThrottle: createThrottle(() => Date.now()), knownKeys: createKnownKeys() },
      callers: createCallerCache(org.clock),
      moments: createMoments(org, engines.records),
      clientLimits: null,
      recordJobs: null,
      ingestRunner: null,
      eventWatch: null,
      outboxWorker: null,
      deliveryWorker: null,
      receiptRate: null,
      devices: createKnownDevices(site, systemRandom, () => Date.now()),
      problems:
        lane === 'quick' ? createProblems(bounded, (actor) => this.#cachedProblems(actor)) : this.#problems,
      operatorName: operatorName(),
      readiness: createReadiness({
        org,
        requireSigningKey: signingKeyCheck(org),
        elapsed: () => performance.now(),
      }),
      log: silentLog,
    }
  }

  async answer(request: LaneRequest): Promise<void> {
    this.#heldWriteAccess = null
    this.#pendingEvents = []
    try {
      await this.#services.org.refresh()
      const result =
        request.kind === 'route'
          ? await runLaneCall(this.#services, request.call)
          : shareFindings(await this.#problems.all(request.actor))
      if (this.#pendingEvents.length > 0) await this.#ask('studio_events', this.#pendingEvents)
      const bytes =
        'bytes' in result && result.bytes !== undefined ? [result.bytes.buffer as ArrayBuffer] : []
      const spent = getHeapStatistics().total_heap_size > maxHeapBytes
      post({ kind: 'answer', answer: result, spent }, bytes)
    } catch (error) {
      post({ kind: 'error', error: serializeError(error) })
    }
  }

  /** Receives the reply to a request of this worker. */
  receive(id: number, data: unknown): void {
    this.#asks.get(id)?.(data)
    this.#asks.delete(id)
  }

  async close(): Promise<void> {
    this.#longDeps.store.close()
    // The server no longer responds, and nothing runs that could write.
    this.#heldWriteAccess = Promise.resolve()
    await this.#services.org.close()
  }

  #ask(name: string, data: unknown): Promise<unknown> {
    const id = this.#nextAsk++
    return new Promise((resolve) => {
      this.#asks.set(id, resolve)
      post({ kind: 'ask', id, name, data })
    })
  }

  /** By the readers' thread, which has the secrets and the limits. */
  async #callSource(...[target, request]: Parameters<CallSource>): Promise<RemoteResponse> {
    const sent = (await this.#ask('source', { target, request } satisfies SourceAsk)) as SourceReply
    if ('error' in sent) throw deserializeError(sent.error)
    return sent.response
  }

  /** Findings as cached by the readers' thread; computing them again in this lane would block others. */
  async #cachedProblems(actor: string): Promise<Finding[]> {
    const sent = (await this.#ask('problems', actor)) as FindingsReply
    if ('error' in sent) throw deserializeError(sent.error)
    return readFindings(sent.shared)
  }
}

let worker: LaneWorker
port.on('message', (message: PoolMessage) => {
  switch (message.kind) {
    case 'open':
      worker = new LaneWorker(message.data as LaneWorkerData)
      return post({ kind: 'ready' })
    case 'call':
      return void worker.answer(message.request as LaneRequest)
    case 'reply':
      return worker.receive(message.id, message.data)
    case 'close':
      return void worker.close().then(() => post(closedMessage))
  }
})
