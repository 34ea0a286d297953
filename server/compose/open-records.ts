// Opens the records of an org: a connection for readers, and saves in this thread or in the worker for records.
import { deserializeError } from '#kernel/errors/serialized-error.ts'
import type { IngestWrites } from '../bulk/index.ts'
import type { EventLogWrites } from '../events/index.ts'
import type { OutboxWrites } from '../outbox/index.ts'
import { WriteQueue } from '../pipeline/index.ts'
import type { FieldUse } from '../ports/field-use.ts'
import type { RecordStore } from '../ports/record-store.ts'
import {
  erase,
  recordJobWrites,
  saveGroup,
  type AccessOf,
  type CommandOutcome,
  type EraseCommand,
  type ErasureCounts,
  type ObjectHistory,
  type RecordCommand,
  type RecordJobWrites,
  type RecordSnapshots,
  type SavedCommand,
} from '../records/index.ts'
import { groupedSaves, type LeftWork } from './grouped-saves.ts'
import {
  accessOf,
  objectHistory,
  openParts,
  snapshotsOf,
  type OpenOptions,
  type OrgParts,
} from './record-parts.ts'
import { recordTrace, traceVerbs, type RecordTrace } from './record-trace.ts'
import {
  elapsed,
  eventsInTurn,
  eventsOf,
  ingestsInTurn,
  ingestsOf,
  inTurn,
  outboxInTurn,
  outboxOf,
  outboxPart,
  type SentOutcome,
} from './record-verbs.ts'
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
  readonly ingests: IngestWrites
  readonly events: EventLogWrites
  readonly trace: RecordTrace
  erase(command: EraseCommand): Promise<ErasureCounts>
  noteUses(uses: readonly FieldUse[]): Promise<void>
  /** Calls the listener after a save that left work to a job, or a call. */
  followJobs(listener: () => void): void
  /** Calls the listener after a save that left events. */
  followEvents(listener: () => void): void
  close(): Promise<void>
}

/** Saves in this thread. */
export function openRecords(dir: string, org: OrgParts, options: OpenOptions): OpenedRecords {
  const { store, deps, close } = openParts(dir, org, options)
  const [listener, eventListener] = [createListener(), createListener()]
  const queue = new WriteQueue()
  const trace = recordTrace(org, queue, (verb, request) => traceVerbs(store)[verb](request as never) as never)
  const leftWork = leftWorkOf(org, trace, listener.call)
  const group = async (commands: readonly RecordCommand[]): Promise<CommandOutcome[]> =>
    tellingEvents(await saveGroup(deps(), commands, () => performance.now()), eventListener.call)
  return {
    ...{ snapshots: snapshotsOf(org), accessOf: accessOf(org), ...objectHistory(org) },
    ...{
      store,
      close: closing(trace, close),
      followJobs: listener.set,
      followEvents: eventListener.set,
      trace,
    },
    ...groupedSaves(queue, group, leftWork),
    noteUses: (uses) => queue.run(() => store().write((tx) => tx.noteUses(uses))),
    erase: (command) => queue.run(() => erase(deps(), command)),
    outbox: outboxInTurn(queue, (verb, request) => outboxOf(deps)[verb](request as never)),
    ingests: ingestsInTurn(queue, (verb, request) => ingestsOf(deps)[verb](request as never)),
    events: eventsInTurn(queue, (verb, request) => eventsOf(deps)[verb](request as never)),
    jobs: inTurn(queue, recordJobWrites(deps, elapsed, outboxPart(org))),
  }
}

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
  const [listener, eventListener] = [createListener(), createListener()]
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
    return tellingEvents(
      outcomes.map((outcome) =>
        outcome.ok ? outcome : { ok: false, error: deserializeError(outcome.error) },
      ),
      eventListener.call,
    )
  }
  return {
    ...{ snapshots: snapshotsOf(org), accessOf: accessOf(org), ...objectHistory(org) },
    ...{ store, followJobs: listener.set, followEvents: eventListener.set, trace },
    ...groupedSaves(queue, group, leftWork),
    noteUses: (uses) => queue.run(() => worker.call<void>('noteUses', uses)),
    erase: (command) => queue.run(() => worker.call('erase', command)),
    outbox: outboxInTurn(queue, (verb, request) => worker.call(`outbox.${verb}`, request)),
    ingests: ingestsInTurn(queue, (verb, request) => worker.call(`ingest.${verb}`, request)),
    events: eventsInTurn(queue, (verb, request) => worker.call(`events.${verb}`, request)),
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

function tellingEvents(outcomes: CommandOutcome[], tell: () => void): CommandOutcome[] {
  if (outcomes.some((outcome) => outcome.ok && outcome.hasEvents)) tell()
  return outcomes
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
