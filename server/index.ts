// Starts the server: opens an org, listens on a port, and closes both again.
import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { enginesOf } from './compose/engines.ts'
import { openOutbox } from './compose/open-callouts.ts'
import { openEvents } from './compose/open-events.ts'
import { openIngests } from './compose/open-ingests.ts'
import { openDeliveries } from './compose/open-webhooks.ts'
import { openLanes } from './compose/lanes.ts'
import { payloadThread } from './compose/payload-thread.ts'
import {
  createListener,
  listen,
  requireSafeHost,
  siteOf,
  urlHost,
  type ListenOptions,
} from './compose/listener.ts'
import { createLongReads } from './compose/long-reads.ts'
import { openOtlp, saveSpan } from './compose/open-otlp.ts'
import { openOrg, openDeps } from './compose/open-org.ts'
import { requireSigningKey } from './check/index.ts'
import { orgFile, signingKeysOf } from './compose/org-folder.ts'
import { initSample } from './compose/sample.ts'
import { serverClosing } from './compose/server-closing.ts'
import { signingKeyCheck } from './compose/signing-key-check.ts'
import { newThreads, type Threads } from './compose/threads.ts'
import {
  respondToRefusedRequests,
  createApp,
  createEventHub,
  createMetrics,
  createMoments,
  createProblems,
  createSharedProblems,
  type SharedProblems,
  createReadiness,
  createStudioLink,
  createThrottle,
  createCallerCache,
  createKnownDevices,
  createKnownKeys,
  gracefulClose,
  logFailure,
  silentLog,
  type Log,
  type ClosingTimes,
  type Services,
} from './http/index.ts'
import { administrator } from './pipeline/index.ts'
import type { CustodyChannel } from './ports/secret-custody.ts'
import { createClientLimits, type Ceiling } from './clients/index.ts'
import { createPrincipalFeed, type SessionLimits } from './access/index.ts'
import type { RemoteOptions } from './remotes/index.ts'
import { exportHeaders, tracesUrl, type OtlpOptions } from './otlp/index.ts'
import type { OrgReader } from './ports/org-store.ts'
import { createFillRunner, createJobRunner, createRecordFeed } from './records/index.ts'
import { startDueRunner } from './requests/index.ts'
import { operatorName, systemRandom } from './system/index.ts'
import { createReceiptRate } from './webhooks/index.ts'

export interface StartOptions extends ListenOptions {
  /** Folder of the org. */
  org: string
  /** Root of the installation, which contains `out/renderer/` and `resources/`. */
  root: string
  /** Serves the studio: to people who sign in, and on loopback also to the user of the one-time link. */
  studio: boolean
  /** Creates the sample org if the folder does not contain an org. */
  sample: boolean
  /** 32 bytes in base64 that the keychain has opened, for the vault; without it, its key is a file. */
  vaultKey?: string | null
  /** What is written to standard error; a response to an unforeseen error refers to it. */
  log?: 'requests' | 'errors' | 'nothing'
  /** Access to the process with the keychain; if omitted, secrets of remotes are files in the folder of the org. */
  custody?: CustodyChannel
  /** Off loopback: names, addresses and networks in the internal network that remotes can have. */
  allowTargets?: readonly string[]
  /** In tests: timeouts for remotes. */
  remoteTerms?: Partial<RemoteOptions>
  /** Lifetime of sessions of the one-time link; default that of password sessions. */
  linkLimits?: SessionLimits
  /** Unless false, applies and plans run in a worker. */
  worker?: boolean
  /** Where threads for the workers come from; if omitted, each start is a new thread. */
  threads?: Threads
  /** Unless false, workers start with the server, so that the first request that needs one does not wait for it. */
  warm?: boolean
  /** Unless false, deliveries to webhooks are dispatched. Benchmarks measure receipts alone. */
  dispatches?: boolean
  /** Unless false, the rate limits of integration clients and webhooks are enforced. */
  limitsClients?: boolean
  /** What all integration clients can use together; default `orgCeiling`. */
  clientCeiling?: Ceiling
  /** Where spans are exported to; nowhere if omitted. */
  otlp?: OtlpOptions | undefined
  /** In tests: how long a save of records waits for a different process, in milliseconds. */
  busyMs?: number
  /** In tests: how long a server that stops waits for responses. */
  closingTimes?: ClosingTimes
  /** In tests: a response that its route does not declare is an error. */
  checkReplies?: boolean
}

export interface RunningServer {
  /** `http://127.0.0.1:4680` */
  listening: string
  /** The one-time link of the studio; absent if none is served. */
  open?: string
  /** Calls back when the one-time link has been used. */
  onLinkUsed(listener: () => void): void
  close(): Promise<void>
}

/** Interval of the check for generations of other processes, in milliseconds. */
const followMs = 500
/** Interval of the check for due change requests. */
const dueMs = 30_000
/** Interval of writing which fields clients have used. */
const usesMs = 1000
/** Interval of saving the latest time, so a clock that is set back does not revive anything that expired. */
const timeMs = 60_000

/** Starts a server. @throws AlmanacError server.cannot_start with the reason; others if the org cannot be opened. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const loopback = requireSafeHost(options)
  if (options.otlp !== undefined) requireOtlp(options.otlp)
  if (options.sample && !existsSync(orgFile(options.org)))
    await initSample(options.org, { root: options.root })
  const server = createListener(options)
  const { threads = newThreads } = options
  const org = openOrg(options.org, {
    ...{ worker: options.worker !== false, threads, busyMs: options.busyMs },
  })
  const closeServer = gracefulClose(server, {
    times: options.closingTimes,
    onLastMoment: () => org.records.refuse(serverClosing()),
  })
  try {
    requireSigningKey(org.store, signingKeysOf(options.org))
    await listen(server, options)
  } catch (error) {
    await org.close()
    throw error
  }
  const port = (server.address() as AddressInfo).port
  const site = siteOf(options, { port, loopback, lineage: org.facts().lineage })
  const { log: logged = 'nothing' } = options
  const log: Log =
    logged === 'nothing'
      ? silentLog
      : pino({ level: logged === 'requests' ? 'info' : 'error' }, pino.destination(2))
  // Only users of this machine can be its administrator; others sign in.
  const link = options.studio && site.loopback ? createStudioLink(systemRandom) : null
  const version = versionOf(options.root)
  const exporter =
    options.otlp === undefined
      ? null
      : openOtlp(options.otlp, {
          ...{ org, version },
          // Once, until an export succeeds again; the metrics count the others.
          onFailure: (reason) => log.error({ reason }, 'spans could not be exported'),
        })
  if (exporter !== null)
    org.records.followSaves((saved) => exporter.note(saveSpan(saved, Date.parse(org.clock.now()))))
  const events = createEventHub()
  const metrics = createMetrics()
  const payloads = options.worker === false ? null : payloadThread(threads, options.org)
  const engines = enginesOf(org, {
    ...(payloads === null ? {} : { payloadThread: payloads.run, readLargeDraft: payloads.readDraft }),
    ...(options.custody === undefined ? {} : { custody: options.custody }),
    reach: { isOwnMachine: site.loopback, allowed: options.allowTargets ?? [] },
    ...(options.remoteTerms === undefined ? {} : { terms: options.remoteTerms }),
    exporter,
    linkLimits: options.linkLimits,
    vaultKey: options.vaultKey,
    onError: (error) => log.error({ err: error }, 'a job for a remote failed unexpectedly'),
  })
  // Derived now, and not while the first request waits.
  engines.cursorKey()
  const endSecrets = (which: 'endDue' | 'endRemoved'): void =>
    void engines.credentials[which]().catch((error: unknown) => logFailure(log, 'the end of secrets', error))
  engines.tracing.run((error) => logFailure(log, 'the execution trace', error))
  const flushUses = (): Promise<void> =>
    engines.records.flushUses().catch((error: unknown) => logFailure(log, 'the uses of clients', error))
  const checkReplies = options.checkReplies === true
  const parts = openDeps(options.org)
  const lanes =
    options.worker === false
      ? null
      : openLanes(
          threads,
          { dir: options.org, version, checkReplies },
          {
            acquireWriteAccess: (onEnd) =>
              new Promise((granted) => {
                const held = org.writeQueue.run(async () => {
                  await flushUses()
                  granted()
                  return new Promise<void>((ended) => onEnd(ended))
                })
                held.catch(() => undefined)
              }),
            studioEvent: (event) => events.publish(event),
            observeApply: (ms) => metrics.observeApply(ms),
            problems: (actor) => sharedProblems!.shared(actor),
            importServices: (needs, caller) => engines.serviceImports.importAll(needs, caller),
            callSource: engines.callSource,
            refresh: async () => {
              await org.refresh()
              engines.requests.poll()
            },
          },
        )
  const sharedProblems: SharedProblems | null =
    lanes === null ? null : createSharedProblems(org, lanes.problems)
  const fills = createFillRunner({
    createFills: async (user) => {
      // Without records, the worker for them is not started.
      if (!org.store.read((reader) => reader.recordFacts.any())) return
      if (await org.records.jobs.createFills({ generation: org.activeGeneration(), user })) recordJobs.wake()
    },
    onError: (error) => logFailure(log, 'the fill of stored fields', error),
  })
  const recordJobs = createJobRunner({
    openJobs: async () =>
      // Without jobs, the worker for records is not started.
      org.store.read((reader) => reader.recordFacts.anyJob())
        ? org.records.store().read((reader) => reader.openJobs())
        : [],
    step: (id) => engines.records.runStep({ id, generation: org.activeGeneration() }),
    onStep: ({ id, kind, state, done, total, createdBy }) => {
      if (kind === 'outbox') outbox.wake()
      if (kind === 'deliveries') deliveryWorker?.wake()
      events.publish({ event: 'record-job', data: { id, state, done, total } })
      // A deploy during the fill may have added fields that it does not contain.
      if (kind === 'fill' && state === 'completed') fills.wake(createdBy)
      if (kind === 'automation') outbox.wake()
    },
    onError: (error) => logFailure(log, 'a job over records', error),
  })
  const ingestRunner = openIngests(org, {
    ...{ threads, uses: engines.records },
    onProgress: ({ id, createdBy }) => events.publish({ event: 'ingest', data: { id, createdBy } }),
    onError: (error) => logFailure(log, 'a bulk job', error),
  })
  const outbox = openOutbox(org, {
    callouts: engines.outside().callouts,
    onJob: () => recordJobs.wake(),
    ...{ operations: engines.operations, payloads: engines.payloads },
    onError: (error) => logFailure(log, 'a call in the outbox', error),
  })
  const deliveryWorker =
    options.dispatches === false
      ? null
      : openDeliveries(org, {
          dispatch: engines.records.dispatch,
          onError: (error) => logFailure(log, 'the dispatch of a delivery', error),
        })
  engines.webhooks.followStored(() => deliveryWorker?.wake())
  org.records.followJobs(() => {
    recordJobs.wake()
    outbox.wake()
  })
  const eventLog = openEvents(org, {
    events: engines.records.events,
    note: engines.tracing.note,
    onError: (error) => logFailure(log, 'the log of events', error),
  })
  org.records.followEvents(eventLog.wake)
  const services: Services = {
    ...engines,
    eventWatch: eventLog.watch,
    recordJobs,
    ingestRunner,
    outboxWorker: outbox,
    deliveryWorker,
    receiptRate: options.limitsClients === false ? null : createReceiptRate(() => performance.now()),
    longReads: createLongReads(parts, { records: org.records, cursorKey: engines.cursorKey }),
    lanes,
    store: org.store,
    callers: createCallerCache(org.clock),
    moments: createMoments(org, engines.records),
    clock: org.clock,
    ids: org.ids,
    site,
    link,
    studioFolder: options.studio ? join(options.root, 'out', 'renderer') : null,
    throttle: createThrottle(() => Date.now()),
    keyThrottle: createThrottle(() => Date.now()),
    knownKeys: createKnownKeys(),
    // Ten sources at their own limit; a single one cannot lock the user out.
    accountThrottle: createThrottle(() => Date.now(), 100),
    clientLimits:
      options.limitsClients === false
        ? null
        : createClientLimits(() => performance.now(), options.clientCeiling),
    devices: createKnownDevices(site, systemRandom, () => Date.now()),
    events,
    metrics,
    spans: exporter,
    problems: sharedProblems ?? createProblems(org),
    operatorName: operatorName(),
    readiness: createReadiness({
      org,
      requireSigningKey: signingKeyCheck(org),
      elapsed: () => performance.now(),
    }),
    log,
    version,
    checkReplies,
  }
  server.on('request', createApp(services))
  respondToRefusedRequests(server, services)
  const stopTelling = org.onActivation(({ generation }) => {
    const actor = org.store.read((reader) => reader.generations.get(generation))?.actor ?? ''
    events.publish({ event: 'generation', data: { generation, actor } })
    fills.wake(actor)
    eventLog.followChannels()
    endSecrets('endRemoved')
  })
  const stopDraftNews = org.onDraftChange((data) => events.publish({ event: 'draft', data }))
  const { requests, remotes } = services
  const stopNews = requests.onEvent((event) => events.publish({ event: 'change-request', data: event }))
  const stopRemoteNews = remotes.onEvent((event) => events.publish({ event: 'remote', data: event }))
  remotes.run()
  const due = startDueRunner({
    requests,
    onError: (error) => log.error({ err: error }, 'a change request could not be applied on its date'),
    everyMs: dueMs,
  })
  const peopleNews = createPrincipalFeed(org.store)
  const recordNews = createRecordFeed({
    ...{ store: org.records.store, snapshots: org.records.snapshots },
    anyRecords: () => org.store.read((reader) => reader.recordFacts.any()),
  })
  const follow = setInterval(() => {
    Promise.resolve(org.refresh())
      .then(() => requests.poll())
      .then(() => peopleNews().forEach((data) => events.publish({ event: 'people', data })))
      .then(recordNews)
      .then((objects) => objects.forEach((object) => events.publish({ event: 'records', data: { object } })))
      .catch((error: unknown) => log.error({ err: error }, 'the active generation could not be read'))
  }, followMs)
  const uses = setInterval(() => void flushUses(), usesMs)
  // An apply that removes a field is judged with every use until now, and not until a second ago.
  org.onApplyTurn(flushUses)
  const time = setInterval(() => {
    // The readiness check reports a disk that cannot be written.
    org.write(() => undefined).catch(() => undefined)
    endSecrets('endDue')
  }, timeMs)
  endSecrets('endDue')
  endSecrets('endRemoved')
  engines.credentials.lockedReason().then(
    (reason) => reason !== null && log.error({ code: 'vault.key', detail: reason }, 'the vault is locked'),
    (error: unknown) => logFailure(log, 'the vault', error),
  )
  if (options.warm !== false) {
    lanes?.warm()
    org
      .plan({ source: { kind: 'components', components: [] }, actor: administrator })
      .catch((error: unknown) => log.error({ err: error }, 'the apply worker could not be started'))
  }
  fills.wake(org.store.read(activeActor))
  ingestRunner.wake()
  eventLog.followChannels()
  org.materialise().catch((error: unknown) => log.error({ err: error }, 'slices could not be materialised'))
  // Behind a proxy, the public scheme is the proxy's; this server itself speaks plain HTTP.
  const listening = `${options.tls === undefined ? 'http' : 'https'}://${urlHost(options.host)}:${site.port}`
  return {
    listening,
    ...(link?.path == null ? {} : { open: `${listening}${link.path}` }),
    onLinkUsed: (listener) => link?.onUsed(listener),
    close: async () => {
      clearInterval(follow)
      clearInterval(time)
      clearInterval(uses)
      stopTelling()
      stopDraftNews()
      stopNews()
      stopRemoteNews()
      // They are not valid after this start anyway; a full disk must not prevent the server from stopping.
      await engines.access.endLinkSessions().catch(() => undefined)
      events.close()
      // What runs in the background can wait for a lock for seconds, in which requests are still answered.
      const served = closeServer()
      await remotes.close()
      await due.stop()
      await fills.close()
      await recordJobs.close()
      await ingestRunner.close()
      await deliveryWorker?.close()
      await outbox.close()
      await eventLog.close()
      await engines.closeOutside()
      await served
      await engines.records.flushUses().catch(() => undefined)
      await engines.tracing.close()
      await exporter?.close()
      await lanes?.close()
      await payloads?.close()
      parts.store.close()
      await org.close()
    },
  }
}

/** Refuses before anything is opened. @throws AlmanacError `server.cannot_start` */
function requireOtlp(options: OtlpOptions): void {
  tracesUrl(options)
  exportHeaders(options)
}

/** The user who deployed the active generation. */
function activeActor({ generations }: OrgReader): string {
  return generations.get(generations.active())?.actor ?? administrator
}

function versionOf(root: string): string {
  try {
    return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
  } catch {
    return '0.0.0'
  }
}
