// Collects deliveries that arrive at nearly the same time in one transaction: each commit waits for the disk. The transaction
// takes them while they arrive, so that what it writes does not wait for what is still being verified.
import type { NewDelivery } from '../ports/deliveries.ts'
import type { Timer } from '../ports/timer.ts'
import type { DeliveryWrites } from './delivery-writes.ts'

export interface ReceiptBatches {
  /** Resolves when it is durable, with the id of the delivery that it repeats; null if it was stored. */
  write(delivery: NewDelivery): Promise<string | null>
}

const ignore = (): void => undefined

interface Waiting {
  delivery: NewDelivery
  written: PromiseWithResolvers<string | null>
}

/** Deliveries of one transaction. */
const most = 256
/** Milliseconds. */
const longestWait = 10
/** So many are handed over before others of the same turn of the event loop are verified. */
const enoughForList = 8

/**
 * A transaction stays open until as many have arrived as there were in the last one and after it, since senders that have just
 * been answered send the next; at most for half the time that the last one took. A sender that is alone never waits.
 */
export function receiptBatches(receive: DeliveryWrites['receive'], timer: Timer): ReceiptBatches {
  let waiting: Waiting[] = []
  let isRunning = false
  let last = { count: 0, ms: 0 }

  /** Calls back once there is a list: with enough in it, or with what has arrived in this turn of the event loop. */
  const whenListed = (then: () => void): void => {
    if (waiting.length >= enoughForList) then()
    else if (waiting.length === 1) setImmediate(then)
  }
  /** Those of one transaction, in lists. */
  async function* arriving(taken: Waiting[], startedAt: number, isOver: () => boolean) {
    const enough = Math.min(last.count, most)
    const until = startedAt + Math.min(last.ms / 2, longestWait)
    for (;;) {
      const list = waiting.slice(0, most - taken.length)
      waiting = waiting.slice(list.length)
      taken.push(...list)
      if (list.length > 0) yield list.map(({ delivery }) => delivery)
      const left = until - timer.elapsedMs()
      if (taken.length >= enough || left <= 0) return
      await nextWrite(left)
      if (isOver()) return
    }
  }
  const nextWrite = async (ms: number): Promise<void> => {
    if (waiting.length > 0) return
    const arrived = new AbortController()
    const noteArrival = (): void => whenListed(() => arrived.abort())
    onWrite = noteArrival
    await timer.wait(ms, { signal: arrived.signal }).catch(() => undefined)
    // If the transaction has failed in the meantime, the next write starts another one.
    if (onWrite === noteArrival) onWrite = ignore
  }
  const runNext = async (): Promise<void> => {
    const taken: Waiting[] = []
    const startedAt = timer.elapsedMs()
    let isOver = false
    try {
      const known = await receive(arriving(taken, startedAt, () => isOver))
      for (const [index, { written }] of taken.entries()) written.resolve(known[index]!)
    } catch (error) {
      // A transaction that could not begin has taken none, and another one would fail as well.
      const failed = taken.length > 0 ? taken : waiting.splice(0)
      for (const { written } of failed) written.reject(error)
    } finally {
      isOver = true
    }
    last = { count: taken.length + waiting.length, ms: timer.elapsedMs() - startedAt }
  }
  const start = (): void => {
    if (isRunning) return
    isRunning = true
    onWrite = ignore
    void (async () => {
      while (waiting.length > 0) await runNext()
      isRunning = false
      onWrite = startListed
    })()
  }
  const startListed = (): void => whenListed(start)
  let onWrite = startListed
  return {
    write: (delivery) => {
      const written = Promise.withResolvers<string | null>()
      waiting.push({ delivery, written })
      onWrite()
      return written.promise
    },
  }
}
