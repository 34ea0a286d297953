// The events that a store has, in the order of their numbers.
import type { ChannelId } from '../../server/kernel/events/index.ts'
import type { LoggedEvent } from '../../server/ports/events.ts'
import type { RecordStore } from '../../server/ports/record-store.ts'

/** Numbers what waits, in one partition for each channel, and returns the events of all channels. */
export async function publishedEvents(
  store: RecordStore,
): Promise<(LoggedEvent & { channel: ChannelId; partition: number })[]> {
  const drain = {
    token: 'test',
    isHolder: false,
    limit: 1_000_000,
    channels: new Map(),
    hasOtherChannels: false,
  }
  await store.write((tx) =>
    tx.drainEvents({ ...drain, now: '2999-01-01T00:00:00.000Z', until: '2999-01-01T00:00:01.000Z' }),
  )
  return store.read(async (reader) => {
    const found: (LoggedEvent & { channel: ChannelId; partition: number })[] = []
    for (const channel of await reader.eventChannels()) {
      const log = await reader.eventLog(channel)
      for (const partition of log!.partitions.keys()) {
        let after = 0
        for (;;) {
          const events = await reader.events(channel, { partition, after, limit: 1000 })
          if (events.length === 0) break
          found.push(...events.map((event) => ({ ...event, channel, partition })))
          after = events.at(-1)!.sequence
        }
      }
    }
    return found
  })
}
