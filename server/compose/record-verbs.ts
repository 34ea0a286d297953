// What the records of an org can be asked to write: in this thread, or in the worker for records.
import { serializeError, type SerializedError } from '#kernel/errors/serialized-error.ts'
import { ingestWrites, type IngestWrites } from '../bulk/index.ts'
import { deliveryWrites, runDeliveryPart, type DeliveryWrites } from '../webhooks/index.ts'
import { eventWrites, type EventLogWrites } from '../events/index.ts'
import { noteInTransaction, outboxWrites, runOutboxPart, type OutboxWrites } from '../outbox/index.ts'
import type { WriteRunner } from '../pipeline/index.ts'
import type { FieldUse } from '../ports/field-use.ts'
import {
  deferredValues,
  erase,
  recordJobWrites,
  saveGroup,
  type CommandDeps,
  type EraseCommand,
  type EraseDeps,
  type RecordCommand,
  type RecordJobWrites,
  type RecordReply,
  type OtherParts,
} from '../records/index.ts'
import { unpackDeliveries, type PackedDeliveries } from './packed-deliveries.ts'
import type { OrgParts } from './record-parts.ts'
import { traceVerbs } from './record-trace.ts'
import { eachOf, receivedLists } from './sent-lists.ts'

/** What the worker for records answers. */
export type SentOutcome =
  | { ok: true; reply: RecordReply; position: number; hasJob: boolean; hasEvents: boolean }
  | { ok: false; error: SerializedError }

/** What the worker for records can be asked. */
export function recordVerbs(
  deps: () => EraseDeps,
): Record<string, (request: never, letNextBegin: () => void) => Promise<unknown>> {
  const jobs = recordJobWrites(deps, elapsed, otherParts(deps))
  const outbox = outboxOf(deps)
  const ingest = ingestsOf(deps)
  const delivery = deliveriesOf(deps)
  const received = receivedLists((lists: AsyncIterable<PackedDeliveries>) =>
    delivery.receive(eachOf(lists, unpackDeliveries)),
  )
  const events = eventsOf(deps)
  const trace = traceVerbs(() => deps().store)
  return {
    ...Object.fromEntries(outboxVerbs.map((verb) => [`outbox.${verb}`, outbox[verb]])),
    ...Object.fromEntries(ingestVerbs.map((verb) => [`ingest.${verb}`, ingest[verb]])),
    ...Object.fromEntries(deliveryVerbs.map((verb) => [`delivery.${verb}`, delivery[verb]])),
    'delivery.receive': received.begin,
    'delivery.receiveNext': received.next,
    ...Object.fromEntries(eventVerbs.map((verb) => [`events.${verb}`, events[verb]])),
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

export const outboxInTurn = (queue: WriteRunner, call: CallVerb<OutboxVerb>): OutboxWrites =>
  verbsInTurn(outboxVerbs, queue, call) as unknown as OutboxWrites

type CallVerb<V extends string> = (verb: V, request: unknown) => Promise<unknown>

/** Other writers take their turns between the writes. */
function verbsInTurn<V extends string>(
  verbs: readonly V[],
  queue: WriteRunner,
  call: CallVerb<V>,
): Record<string, (request: unknown) => Promise<unknown>> {
  return Object.fromEntries(
    verbs.map((verb) => [verb, (request: unknown) => queue.run(() => call(verb, request))]),
  )
}

export const outboxOf = (deps: () => CommandDeps): OutboxWrites =>
  outboxWrites({
    store: () => deps().store,
    deferredValues: (tx, row) => deferredValues(deps(), tx, row),
    clock: () => deps().clock,
    newId: () => deps().ids.uuid(),
  })

const ingestVerbs = [
  'create',
  'addPart',
  'removePart',
  'close',
  'start',
  'end',
  'purge',
] as const satisfies readonly (keyof IngestWrites)[]
type IngestVerb = (typeof ingestVerbs)[number]

export const ingestsInTurn = (queue: WriteRunner, call: CallVerb<IngestVerb>): IngestWrites =>
  verbsInTurn(ingestVerbs, queue, call) as unknown as IngestWrites

export const ingestsOf = (deps: () => CommandDeps): IngestWrites =>
  ingestWrites({
    store: () => deps().store,
    clock: () => deps().clock,
    newId: () => deps().ids.uuid(),
  })

const deliveryVerbs = [
  ...(['claim', 'change', 'extend', 'requeue', 'discard'] as const),
  ...(['startJob', 'release', 'purge'] as const),
] as const satisfies readonly (keyof DeliveryWrites)[]
type DeliveryVerb = (typeof deliveryVerbs)[number]

/** @param receive called when it is its turn */
export const deliveriesInTurn = (
  queue: WriteRunner,
  call: CallVerb<DeliveryVerb>,
  receive: DeliveryWrites['receive'],
): DeliveryWrites => ({
  ...(verbsInTurn(deliveryVerbs, queue, call) as unknown as Omit<DeliveryWrites, 'receive'>),
  receive: (lists) => queue.run(() => receive(lists)),
})

export const deliveriesOf = (deps: () => CommandDeps): DeliveryWrites =>
  deliveryWrites({
    store: () => deps().store,
    clock: () => deps().clock,
    newId: () => deps().ids.uuid(),
  })

const eventVerbs = [
  'drain',
  'release',
  'purge',
  'beginEpoch',
  'putSubscription',
  'removeSubscription',
] as const satisfies readonly (keyof EventLogWrites)[]
type EventVerb = (typeof eventVerbs)[number]

export const eventsInTurn = (queue: WriteRunner, call: CallVerb<EventVerb>): EventLogWrites =>
  verbsInTurn(eventVerbs, queue, call) as unknown as EventLogWrites

export const eventsOf = (deps: () => CommandDeps): EventLogWrites =>
  eventWrites({ store: () => deps().store, clock: () => deps().clock })

export const elapsed = (): number => performance.now()

/** The parts of jobs that are not over records. */
export function otherParts(deps: () => Pick<OrgParts, 'clock' | 'ids'>): OtherParts {
  const partDeps = () => {
    const { clock, ids } = deps()
    return { note: noteInTransaction(() => ids.uuid()), now: () => clock.now(), elapsed }
  }
  return {
    outbox: (tx, job, action) => runOutboxPart(partDeps(), tx, job, action),
    deliveries: (tx, job, action) => runDeliveryPart(partDeps(), tx, job, action),
  }
}

/** Other writers take their turns between the writes of jobs. */
export function inTurn(queue: WriteRunner, writes: RecordJobWrites): RecordJobWrites {
  return {
    create: (command) => queue.run(() => writes.create(command)),
    step: (step) => queue.run(() => writes.step(step)),
    archive: (command) => queue.run(() => writes.archive(command)),
    removeArchive: (id) => queue.run(() => writes.removeArchive(id)),
    abort: (id) => queue.run(() => writes.abort(id)),
    createFills: (command) => queue.run(() => writes.createFills(command)),
  }
}
