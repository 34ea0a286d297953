// Opens the records of an org: a connection for readers, and saves in this thread or in the worker for records.
import { deserializeError } from '#kernel/errors/serialized-error.ts'
import type { IngestWrites } from '../bulk/index.ts'
import type { EventLogWrites } from '../events/index.ts'
import type { OutboxWrites } from '../outbox/index.ts'
import type { DeliveryWrites } from '../webhooks/index.ts'
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
import { busyOldMb, youngMb } from '../system/index.ts'
import { groupedSaves, type OnSaved, type SavedOne } from './grouped-saves.ts'
import {
  accessOf,
  objectHistory,
  openParts,
  snapshotsOf,
  type OpenOptions,
  type OrgParts,
} from './record-parts.ts'
import { packDeliveries } from './packed-deliveries.ts'
import { recordTrace, traceVerbs, type RecordTrace } from './record-trace.ts'
import {
  deliveriesInTurn,
  deliveriesOf,
  elapsed,
  eventsInTurn,
  eventsOf,
  ingestsInTurn,
  ingestsOf,
  inTurn,
  outboxInTurn,
  outboxOf,
  otherParts,
  type SentOutcome,
} from './record-verbs.ts'
import { eachOf, sendLists } from './sent-lists.ts'
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
  readonly deliveries: DeliveryWrites
  readonly events: EventLogWrites
  readonly trace: RecordTrace
  erase(command: EraseCommand): Promise<ErasureCounts>
  noteUses(uses: readonly FieldUse[]): Promise<void>
  /** Calls the listener after a save that left work to a job, or a call. */
  followJobs(listener: () => void): void
  /** Calls the listener with each save, after it. */
  followSaves(listener: (saved: SavedOne) => void): void
  /** Calls the listener after a save that left events. */
  followEvents(listener: () => void): void
  close(): Promise<void>
}

/** Saves in this thread. */
export function openRecords(dir: string, org: OrgParts, options: OpenOptions): OpenedRecords {
  const { store, deps, close } = openParts(dir, org, options)
  const listener = createListener<void>()
  const eventListener = createListener<void>()
  const saves = createListener<SavedOne>()
  const queue = new WriteQueue()
  const trace = recordTrace(org, queue, (verb, request) => traceVerbs(store)[verb](request as never) as never)
  const onSaved = savedListener(org, trace, {
    wake: listener.call,
    events: eventListener.call,
    saves: saves.call,
  })
  const group = (commands: readonly RecordCommand[]): Promise<CommandOutcome[]> =>
    saveGroup(deps(), commands, () => performance.now())
  return {
    ...{ snapshots: snapshotsOf(org), accessOf: accessOf(org), ...objectHistory(org) },
    ...{ store, close: closing(trace, close), trace },
    ...{ followJobs: listener.set, followEvents: eventListener.set, followSaves: saves.set },
    ...groupedSaves(queue, group, onSaved),
    noteUses: (uses) => queue.run(() => store().write((tx) => tx.noteUses(uses))),
    erase: (command) => queue.run(() => erase(deps(), command)),
    outbox: outboxInTurn(queue, (verb, request) => outboxOf(deps)[verb](request as never)),
    ingests: ingestsInTurn(queue, (verb, request) => ingestsOf(deps)[verb](request as never)),
    deliveries: deliveriesInTurn(
      queue,
      (verb, request) => deliveriesOf(deps)[verb](request as never),
      (lists) => deliveriesOf(deps).receive(lists),
    ),
    events: eventsInTurn(queue, (verb, request) => eventsOf(deps)[verb](request as never)),
    jobs: inTurn(queue, recordJobWrites(deps, elapsed, otherParts(deps))),
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
  const listener = createListener<void>()
  const eventListener = createListener<void>()
  const saves = createListener<SavedOne>()
  const queue = new WriteQueue()
  const worker = workerCalls(threads, {
    file: new URL('./record-worker.ts', import.meta.url),
    data: { dir, busyMs } satisfies RecordWorkerData,
    resourceLimits: { maxYoungGenerationSizeMb: youngMb.large, maxOldGenerationSizeMb: busyOldMb },
  })
  const trace = recordTrace(org, queue, (verb, request) => worker.call(`trace.${verb}`, request) as never)
  const onSaved = savedListener(org, trace, {
    wake: listener.call,
    events: eventListener.call,
    saves: saves.call,
  })
  const group = async (commands: readonly RecordCommand[]): Promise<CommandOutcome[]> => {
    const outcomes = await worker.call<SentOutcome[]>('save', commands)
    return outcomes.map((outcome) =>
      outcome.ok ? outcome : { ok: false, error: deserializeError(outcome.error) },
    )
  }
  return {
    ...{ snapshots: snapshotsOf(org), accessOf: accessOf(org), ...objectHistory(org) },
    ...{ store, trace },
    ...{ followJobs: listener.set, followEvents: eventListener.set, followSaves: saves.set },
    ...groupedSaves(queue, group, onSaved),
    noteUses: (uses) => queue.run(() => worker.call<void>('noteUses', uses)),
    erase: (command) => queue.run(() => worker.call('erase', command)),
    outbox: outboxInTurn(queue, (verb, request) => worker.call(`outbox.${verb}`, request)),
    ingests: ingestsInTurn(queue, (verb, request) => worker.call(`ingest.${verb}`, request)),
    deliveries: deliveriesInTurn(
      queue,
      (verb, request) => worker.call(`delivery.${verb}`, request),
      (lists) =>
        sendLists(
          eachOf(lists, packDeliveries),
          (call) => worker.call('delivery.receive', call),
          (next) => worker.callNext('delivery.receiveNext', next),
        ),
    ),
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

function createListener<T>(): { set(next: (event: T) => void): void; call(event: T): void } {
  let listener = (_event: T): void => undefined
  return { set: (next) => void (listener = next), call: (event) => listener(event) }
}

/** What waits for the trace is written first. */
const closing =
  (trace: RecordTrace, close: () => Promise<void>): (() => Promise<void>) =>
  async () => {
    await trace.flush()
    await close()
  }

function savedListener(
  { clock }: OrgParts,
  trace: RecordTrace,
  { wake, events, saves }: { wake(): void; events(): void; saves(saved: SavedOne): void },
): OnSaved {
  return (all) => {
    if (all.some(({ outcome }) => outcome.ok && outcome.hasEvents)) events()
    for (const saved of all) saves(saved)
    // What they left to a job, or a call.
    const left = all.flatMap(({ command, outcome, ms }) =>
      outcome.ok && outcome.hasJob ? [{ command, reply: outcome.reply, ms }] : [],
    )
    if (left.length > 0) wake()
    for (const { command, reply, ms } of left) {
      const at = new Date(Date.parse(clock.now()) - ms).toISOString()
      trace.noteSave(command, { reply, at, durationMs: Math.round(ms) })
    }
  }
}
