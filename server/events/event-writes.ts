// The writes of logs of events, each a short transaction. They run next to saves, in the same thread.
import type { ChannelId } from '#kernel/events/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { DrainOutcome, DrainRequest, EventSubscription } from '../ports/events.ts'
import type { RecordStore, RecordTransactor } from '../ports/record-store.ts'

export interface EventLogWrites {
  /** Times of the lease are those of the thread that writes. */
  drain(request: Omit<DrainRequest, 'now' | 'until'>): Promise<DrainOutcome>
  release(token: string): Promise<void>
  /** Removes events that are older than their channel keeps them. Returns how many. */
  purge(of: { channel: ChannelId; days: number; limit: number }): Promise<number>
  beginEpoch(of: { channel: ChannelId; epoch: number }): Promise<void>
  putSubscription(subscription: EventSubscription): Promise<void>
  /** Returns whether it was there. */
  removeSubscription(of: { owner: string; name: string }): Promise<boolean>
}

interface EventWriteDeps {
  store(): Pick<RecordStore, 'write'>
  clock(): Pick<Clock, 'now'>
}

/** How long a drainer that does nothing keeps the others waiting, in milliseconds. */
const leaseMs = 10_000

const dayMs = 86_400_000

export function eventWrites({ store, clock }: EventWriteDeps): EventLogWrites {
  const write = <T>(work: (tx: RecordTransactor) => Promise<T>): Promise<T> => store().write(work)
  const shifted = (ms: number): string => new Date(Date.parse(clock().now()) + ms).toISOString()
  return {
    drain: (request) =>
      write((tx) => tx.drainEvents({ ...request, now: clock().now(), until: shifted(leaseMs) })),
    release: (token) => write((tx) => tx.releaseDrain(token)),
    purge: ({ channel, days, limit }) =>
      write((tx) => tx.purgeEvents(channel, shifted(-days * dayMs), limit)),
    beginEpoch: ({ channel, epoch }) => write((tx) => tx.beginEpoch(channel, epoch, clock().now())),
    putSubscription: (subscription) => write((tx) => tx.putSubscription(subscription)),
    removeSubscription: ({ owner, name }) => write((tx) => tx.removeSubscription(owner, name)),
  }
}
