// Removes events that are older than their channels keep them.
import type { ChannelId } from '#kernel/events/index.ts'
import type { EventLogWrites } from './event-writes.ts'

interface Purge {
  writes: Pick<EventLogWrites, 'purge'>
  /** All that have a log. */
  logs: readonly ChannelId[]
  /** Undefined for a channel that was removed. */
  daysOf(channel: ChannelId): number | undefined
}

/** What a removed channel has left is kept for as long as any channel can keep it. */
const mostDays = 30

/** Rows in one transaction. */
const slice = 2000

export async function purgeEvents({ writes, logs, daysOf }: Purge): Promise<void> {
  for (const channel of logs) {
    const days = daysOf(channel) ?? mostDays
    while ((await writes.purge({ channel, days, limit: slice })) >= slice);
  }
}
