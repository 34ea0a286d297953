// The writes of deliveries, each a short transaction. They run next to saves, in the same thread; a dispatch is a save of its
// own between them.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import { noteInTransaction, type NoteInTransaction } from '../outbox/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { Delivery, DeliveryAttempt, DeliveryClaim, NewDelivery } from '../ports/deliveries.ts'
import type { OutboxProblem } from '../ports/outbox.ts'
import type { RecordJob } from '../ports/record-jobs.ts'
import type { RecordStore, RecordTransactor } from '../ports/record-store.ts'
import { newJob } from '../records/index.ts'
import { deliveryProblem, endsProcesses } from './delivery-problem.ts'
import {
  discardDeliveries,
  requeueDeliveries,
  type Discarding,
  type DeliveryRequeueing,
  type DeliveryRequeueResult,
} from './handle-deliveries.ts'
import { attemptEvent, deadEvent, heldEvent } from './trace-events.ts'

/** A delivery that this worker may dispatch, with the token of its claim. */
export interface ClaimedDelivery {
  id: string
  token: string
  delivery: Delivery
}

/** What became of a claimed delivery that was not dispatched. It is written only if the claim still holds. */
export type DeliveryChange = { id: string; token: string } & (
  | { kind: 'retry'; attempt: Omit<DeliveryAttempt, 'n'>; nextAt: string }
  /** Costs no attempt. */
  | { kind: 'held'; problem: OutboxProblem; at: string }
  | { kind: 'dead'; attempt: Omit<DeliveryAttempt, 'n'> }
)

export interface DeliveryWrites {
  /**
   * In one transaction, which is committed after the last list. Returns for each the id of the delivery that it repeats; null
   * if it was stored.
   */
  receive(lists: AsyncIterable<readonly NewDelivery[]>): Promise<(string | null)[]>
  claim(request: DeliveryClaim): Promise<ClaimedDelivery[]>
  /** In one transaction. Returns whether each was written. */
  change(changes: readonly DeliveryChange[]): Promise<boolean[]>
  /** Lets claims hold until a later time. Returns whether each still held. */
  extend(extension: { claims: readonly { id: string; token: string }[]; until: string }): Promise<boolean[]>
  /** Dispatches dead deliveries again. */
  requeue(requeueing: DeliveryRequeueing): Promise<DeliveryRequeueResult>
  /** Closes dead deliveries. Returns how many. */
  discard(discarding: Discarding): Promise<number>
  /** Creates a job that handles the dead deliveries of a filter. */
  startJob(facts: DeliveryJobFacts): Promise<RecordJob>
  /** Makes held deliveries of an endpoint due. Returns how many. */
  release(held: { endpoint: string; at: string }): Promise<number>
  /** Removes deliveries that were dispatched or discarded before an instant, and keys whose time has ended. */
  purge(times: { closedBefore: string; now: string }): Promise<number>
}

export type DeliveryJobFacts = Pick<RecordJob, 'createdBy' | 'correlationId' | 'total' | 'deliveries'>

export interface DeliveryWriteDeps {
  store(): Pick<RecordStore, 'write'>
  clock(): Clock
  newId(): string
}

/** Rows of one transaction: saves wait for it. */
const partSize = 500

export function deliveryWrites({ store, clock, newId }: DeliveryWriteDeps): DeliveryWrites {
  const note = noteInTransaction(newId)
  const now = (): string => clock().now()
  const write = <T>(work: (tx: RecordTransactor) => Promise<T>): Promise<T> => store().write(work)
  const inParts = async (part: (tx: RecordTransactor) => Promise<number>): Promise<number> => {
    for (let all = 0; ;) {
      const count = await write(part)
      all += count
      if (count < partSize) return all
    }
  }
  return {
    receive: (lists) =>
      write(async (tx) => {
        const known: (string | null)[] = []
        for await (const list of lists) {
          const at = now()
          for (const each of list) known.push(await tx.addDelivery(each, at))
        }
        return known
      }),
    claim: (request) =>
      write(async (tx) => {
        for (const delivery of await tx.lapsedDeliveries(request.now))
          await recoverLapsed(note, tx, delivery, request.now)
        const claimed = await tx.claimDeliveries(request)
        return claimed.map((delivery) => ({ id: delivery.id, token: request.token, delivery }))
      }),
    change: (changes) =>
      write(async (tx) => {
        const written: boolean[] = []
        for (const change of changes) written.push(await changeDelivery(note, tx, change))
        return written
      }),
    extend: ({ claims, until }) =>
      write(async (tx) => {
        const held: boolean[] = []
        for (const { id, token } of claims) held.push(await tx.extendDelivery(id, token, until))
        return held
      }),
    requeue: (requeueing) => write((tx) => requeueDeliveries(note, tx, requeueing)),
    discard: (discarding) => write((tx) => discardDeliveries(note, tx, discarding)),
    startJob: (facts) =>
      write(async (tx) => {
        const job = newJob(newId(), now(), {
          ...{ kind: 'deliveries', object: '' as ObjectId, scopePath: {}, ...facts },
        })
        await tx.putJob(job)
        return job
      }),
    release: ({ endpoint, at }) => inParts((tx) => tx.releaseDeliveries(endpoint, at, partSize)),
    purge: async ({ closedBefore, now: at }) => {
      await inParts((tx) => tx.purgeDeliveryKeys(at, partSize))
      return inParts((tx) => tx.purgeDeliveries(closedBefore, partSize))
    },
  }
}

async function changeDelivery(
  note: NoteInTransaction,
  tx: RecordTransactor,
  change: DeliveryChange,
): Promise<boolean> {
  const delivery = await tx.delivery(change.id)
  if (delivery === undefined) return false
  const { token } = change
  switch (change.kind) {
    case 'held': {
      const { problem, at } = change
      const held: Delivery = { ...delivery, state: 'held', nextAttemptAt: null, problem }
      if (!(await tx.putDelivery(held, token))) return false
      await note(tx, heldEvent(delivery, problem, at))
      return true
    }
    case 'retry':
      return putAfterAttempt(note, tx, delivery, change)
    case 'dead':
      return bury(note, tx, delivery, change)
  }
}

async function putAfterAttempt(
  note: NoteInTransaction,
  tx: RecordTransactor,
  delivery: Delivery,
  { token, attempt, nextAt }: { token: string; attempt: Omit<DeliveryAttempt, 'n'>; nextAt: string },
): Promise<boolean> {
  const n = delivery.attempts.length + 1
  const next: Delivery = {
    ...{ ...delivery, state: 'pending', nextAttemptAt: nextAt, problem: attempt.error },
    attempts: [...delivery.attempts, { ...attempt, n }],
  }
  if (!(await tx.putDelivery(next, token))) return false
  await note(tx, attemptEvent(delivery, { n, code: attempt.error!.code, at: attempt.at, nextAt }))
  return true
}

async function bury(
  note: NoteInTransaction,
  tx: RecordTransactor,
  delivery: Delivery,
  { token, attempt }: { token: string; attempt: Omit<DeliveryAttempt, 'n'> },
): Promise<boolean> {
  const n = delivery.attempts.length + 1
  const { code } = attempt.error!
  const dead: Delivery = {
    ...{ ...delivery, state: 'dead', nextAttemptAt: null, problem: attempt.error },
    attempts: [...delivery.attempts, { ...attempt, n }],
  }
  if (!(await tx.putDelivery(dead, token))) return false
  const failed = attemptEvent(delivery, { n, code, at: attempt.at, nextAt: null })
  await note(tx, failed, deadEvent(delivery, n, code, attempt.at))
  return true
}

/** A worker ended, or lost its claim, in the middle of a dispatch: what it had not committed did not happen. */
async function recoverLapsed(
  note: NoteInTransaction,
  tx: RecordTransactor,
  delivery: Delivery,
  at: string,
): Promise<void> {
  const token = (await tx.deliveryClaim(delivery.id))!
  const error = deliveryProblem(
    new AlmanacError('webhook.interrupted', 'The process ended in the middle of the dispatch.'),
  )
  const attempt = { at, durationMs: null, error }
  const attempts = [...delivery.attempts.slice(delivery.priorAttempts), attempt]
  if (endsProcesses(attempts)) await bury(note, tx, delivery, { token, attempt })
  else await putAfterAttempt(note, tx, delivery, { token, attempt, nextAt: at })
}
