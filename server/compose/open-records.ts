// Opens the records of an org: a connection for readers, and saves in this thread or in the worker for records.
import type { EvaluationSnapshot } from '#kernel/config/index.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import { deserializeError, serializeError, type SerializedError } from '#kernel/errors/serialized-error.ts'
import { effectiveAccess, recordAccess, type EffectiveAccess } from '../access/index.ts'
import { WriteQueue, type Org, type WriteRunner } from '../pipeline/index.ts'
import { noteInTransaction, outboxWrites, runOutboxPart, type OutboxWrites } from '../outbox/index.ts'
import type { FieldUse } from '../ports/field-use.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { RecordStore } from '../ports/record-store.ts'
import {
  createRecordSnapshots,
  deferredValues,
  erase,
  recordJobWrites,
  saveGroup,
  type AccessOf,
  type CommandDeps,
  type CommandOutcome,
  type EraseCommand,
  type EraseDeps,
  type ErasureCounts,
  type ObjectHistory,
  type RecordJobWrites,
  type RunOutboxPart,
  type RecordSnapshots,
  type RecordCommand,
  type RecordReply,
  type SavedCommand,
} from '../records/index.ts'
import { openRecordStore } from '../storage/sqlite/index.ts'
import { withPrivateUmask } from '../system/index.ts'
import { orgFile } from './org-folder.ts'
import { groupedSaves, type LeftWork } from './grouped-saves.ts'
import { recordTrace, traceVerbs, type RecordTrace } from './record-trace.ts'
import { rowsThread } from './rows-thread.ts'
import type { Threads } from './threads.ts'
import { workerCalls } from './worker-calls.ts'

export interface OpenedRecords extends ObjectHistory {
  readonly snapshots: RecordSnapshots
  readonly accessOf: AccessOf
  /** For reads. Opened at the first one, because most commands read no records. */
  store(): RecordStore
  save<C extends RecordCommand>(command: C): Promise<SavedCommand<C>>
  /** Rejects the saves that wait, and all later ones. */
  refuse(error: Error): void
  readonly jobs: RecordJobWrites
  readonly outbox: OutboxWrites
  readonly trace: RecordTrace
  erase(command: EraseCommand): Promise<ErasureCounts>
  noteUses(uses: readonly FieldUse[]): Promise<void>
  /** Calls the listener after a save that left work to a job, or a call. */
  followJobs(listener: () => void): void
  close(): Promise<void>
}

type OrgParts = Pick<Org, 'store' | 'clock' | 'ids' | 'pin' | 'position'>

interface OpenOptions {
  /** How long a writer waits for a different process, in milliseconds. */
  busyMs?: number | undefined
}

/** Saves in this thread. */
export function openRecords(dir: string, org: OrgParts, options: OpenOptions): OpenedRecords {
  const { store, deps, close } = openParts(dir, org, options)
  const listener = createListener()
  const queue = new WriteQueue()
  const trace = recordTrace(org, queue, (verb, request) => traceVerbs(store)[verb](request as never) as never)
  const leftWork = leftWorkOf(org, trace, listener.call)
  const group = (commands: readonly RecordCommand[]): Promise<CommandOutcome[]> =>
    saveGroup(deps(), commands, () => performance.now())
  return {
    ...{ snapshots: snapshotsOf(org), accessOf: accessOf(org), ...objectHistory(org) },
    ...{ store, close: closing(trace, close), followJobs: listener.set, trace },
    ...groupedSaves(queue, group, leftWork),
    noteUses: (uses) => queue.run(() => store().write((tx) => tx.noteUses(uses))),
    erase: (command) => queue.run(() => erase(deps(), command)),
    outbox: outboxInTurn(queue, (verb, request) => outboxOf(deps)[verb](request as never)),
    jobs: inTurn(queue, recordJobWrites(deps, elapsed, outboxPart(org))),
  }
}

/** What the worker for records answers. */
export type SentOutcome =
  { ok: true; reply: RecordReply; position: number; hasJob: boolean } | { ok: false; error: SerializedError }

/** What the worker for records opens. */
export interface RecordWorkerData extends OpenOptions {
  dir: string
}

/** Saves in a worker, next to the readers. */
export function openRecordsWithWorker(
  dir: string,
  org: OrgParts,
  threads: Threads,
  { busyMs }: OpenOptions,
): OpenedRecords {
  const { store, close } = openParts(dir, org)
  const listener = createListener()
  const queue = new WriteQueue()
  const worker = workerCalls(threads, {
    file: new URL('./record-worker.ts', import.meta.url),
    data: { dir, busyMs } satisfies RecordWorkerData,
    resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 1024 },
  })
  const trace = recordTrace(org, queue, (verb, request) => worker.call(`trace.${verb}`, request) as never)
  const leftWork = leftWorkOf(org, trace, listener.call)
  const group = async (commands: readonly RecordCommand[]): Promise<CommandOutcome[]> => {
    const outcomes = await worker.call<SentOutcome[]>('save', commands)
    return outcomes.map((outcome) =>
      outcome.ok ? outcome : { ok: false, error: deserializeError(outcome.error) },
    )
  }
  return {
    ...{ snapshots: snapshotsOf(org), accessOf: accessOf(org), ...objectHistory(org) },
    ...{ store, followJobs: listener.set, trace },
    ...groupedSaves(queue, group, leftWork),
    noteUses: (uses) => queue.run(() => worker.call<void>('noteUses', uses)),
    erase: (command) => queue.run(() => worker.call('erase', command)),
    outbox: outboxInTurn(queue, (verb, request) => worker.call(`outbox.${verb}`, request)),
    jobs: inTurn(queue, {
      create: (command) => worker.call('createJob', command),
      step: (step) => worker.call('stepJob', step),
      archive: (command) => worker.call('archive', command),
      removeArchive: (id) => worker.call('removeArchive', id),
      abort: (id) => worker.call('abortJob', id),
      createFills: (command) => worker.call('createFills', command),
    }),
    close: closing(trace, async () => {
      await worker.close()
      await close()
    }),
  }
}

const outboxVerbs = [
  ...([
    'claim',
    'change',
    'extend',
    'requeue',
    'close',
    'startJob',
    'release',
    'purge',
    'limit',
    'swapLimit',
  ] as const),
] as const satisfies readonly (keyof OutboxWrites)[]
type OutboxVerb = (typeof outboxVerbs)[number]

function outboxInTurn(
  queue: WriteRunner,
  call: (verb: OutboxVerb, request: unknown) => Promise<unknown>,
): OutboxWrites {
  const writes = outboxVerbs.map((verb) => [verb, (request: unknown) => queue.run(() => call(verb, request))])
  return Object.fromEntries(writes) as unknown as OutboxWrites
}

const outboxOf = (deps: () => CommandDeps): OutboxWrites =>
  outboxWrites({
    store: () => deps().store,
    deferredValues: (tx, row) => deferredValues(deps(), tx, row),
    clock: () => deps().clock,
    newId: () => deps().ids.uuid(),
  })

const elapsed = (): number => performance.now()

const outboxPart =
  ({ clock, ids }: Pick<OrgParts, 'clock' | 'ids'>): RunOutboxPart =>
  (tx, job, action) => {
    const note = noteInTransaction(() => ids.uuid())
    return runOutboxPart({ note, now: () => clock.now(), elapsed }, tx, job, action)
  }

function createListener(): { set(next: () => void): void; call(): void } {
  let listener = (): void => undefined
  return { set: (next) => void (listener = next), call: () => listener() }
}

/** What waits for the trace is written first. */
const closing =
  (trace: RecordTrace, close: () => Promise<void>): (() => Promise<void>) =>
  async () => {
    await trace.flush()
    await close()
  }

function leftWorkOf({ clock }: OrgParts, trace: RecordTrace, wake: () => void): LeftWork {
  return (saves) => {
    wake()
    for (const { command, reply, ms } of saves) {
      const at = new Date(Date.parse(clock.now()) - ms).toISOString()
      trace.noteSave(command, { reply, at, durationMs: Math.round(ms) })
    }
  }
}

/** Other writers take their turns between the writes of jobs. */
function inTurn(queue: WriteRunner, writes: RecordJobWrites): RecordJobWrites {
  return {
    create: (command) => queue.run(() => writes.create(command)),
    step: (step) => queue.run(() => writes.step(step)),
    archive: (command) => queue.run(() => writes.archive(command)),
    removeArchive: (id) => queue.run(() => writes.removeArchive(id)),
    abort: (id) => queue.run(() => writes.abort(id)),
    createFills: (command) => queue.run(() => writes.createFills(command)),
  }
}

/** What the worker for records can be asked. */
export function recordVerbs(
  deps: () => EraseDeps,
): Record<string, (request: never, letNextBegin: () => void) => Promise<unknown>> {
  const jobs = recordJobWrites(deps, elapsed, (...part) => outboxPart(deps())(...part))
  const outbox = outboxOf(deps)
  const trace = traceVerbs(() => deps().store)
  return {
    ...Object.fromEntries(outboxVerbs.map((verb) => [`outbox.${verb}`, outbox[verb]])),
    'trace.append': trace.append,
    'trace.purge': trace.purge,
    save: (commands: readonly RecordCommand[], letNextBegin) => saveInWorker(deps(), commands, letNextBegin),
    createJob: jobs.create,
    stepJob: jobs.step,
    archive: jobs.archive,
    removeArchive: jobs.removeArchive,
    abortJob: jobs.abort,
    createFills: jobs.createFills,
    erase: (command: EraseCommand) => erase(deps(), command),
    noteUses: (uses: readonly FieldUse[]) => deps().store.write((tx) => tx.noteUses(uses)),
  }
}

/** Runs the saves of a server in the worker for records. */
async function saveInWorker(
  deps: CommandDeps,
  commands: readonly RecordCommand[],
  letNextBegin: () => void,
): Promise<SentOutcome[]> {
  const outcomes = await saveGroup(deps, commands, () => performance.now(), letNextBegin)
  return outcomes.map((outcome) =>
    outcome.ok ? outcome : { ok: false, error: serializeError(outcome.error) },
  )
}

interface RecordParts {
  store(): RecordStore
  deps(): EraseDeps
  close(): Promise<void>
}

interface PartsOptions extends OpenOptions {
  /** Starts a thread that writes what saves of many records have computed; omitted without one. */
  threads?: Threads
}

export function openParts(dir: string, org: OrgParts, { threads, busyMs }: PartsOptions = {}): RecordParts {
  let opened: RecordStore | null = null
  const file = orgFile(dir)
  const writingThread = threads === undefined ? undefined : rowsThread(threads, file, busyMs)
  const store = (): RecordStore =>
    (opened ??= withPrivateUmask(() => openRecordStore(file, { busyMs, writingThread })))
  let known: EraseDeps | null = null
  return {
    store,
    deps: () => {
      const { clock, ids } = org
      return (known ??= {
        ...{ store: store(), snapshots: snapshotsOf(org), clock, ids, accessOf: accessOf(org) },
        ...objectHistory(org),
      })
    },
    close: async () => opened?.close(),
  }
}

function objectHistory({ store }: Pick<OrgParts, 'store'>): ObjectHistory {
  const identityOf = (object: ObjectId): ComponentIdentity => object as unknown as ComponentIdentity
  return {
    versionsOf: (object) => store.read(({ identities }) => identities.objectVersions(identityOf(object))),
    keysOf: (object) => store.read(({ identities }) => identities.keysOf(identityOf(object))),
  }
}

function snapshotsOf({ store, pin }: OrgParts): RecordSnapshots {
  const at = (generation?: number): EvaluationSnapshot => pin(generation)
  return createRecordSnapshots(store, { active: () => at(), at })
}

/** Rights are read again once anything was written to the org. */
function accessOf(org: OrgParts): AccessOf {
  const snapshots = snapshotsOf(org)
  let position = -1
  const known = new Map<string, EffectiveAccess>()
  return (user, generation, scopePath) => {
    const snapshot = snapshots.at(generation)
    if (org.position() !== position) known.clear()
    position = org.position()
    const place = `${generation} ${user}`
    let access = known.get(place)
    if (access === undefined) {
      access = org.store.read((reader) => effectiveAccess(reader, user, snapshot.view))
      known.set(place, access)
    }
    return recordAccess(access, { snapshot, scopePath })
  }
}
