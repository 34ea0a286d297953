// The log of events of an org, as a server keeps it.
import { changesOf, declaredOver, listChannels, type ChannelId } from '#kernel/events/index.ts'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import { createDrainer, createEventWatch, purgeEvents, type EventWatch } from '../events/index.ts'
import type { DrainedChannel } from '../ports/events.ts'
import type { NewTraceEvent } from '../ports/trace.ts'
import type { RecordEvents } from '../records/index.ts'
import type { OpenedOrg } from './open-org.ts'

export interface OpenedEvents {
  watch: EventWatch
  /** There are new events. */
  wake(): void
  /** A generation was activated: logs follow its channels. */
  followChannels(): void
  close(): Promise<void>
}

/** How often events that are not kept any more are removed, in milliseconds. */
const purgeMs = 600_000

/** How often subscriptions that are behind are noted, in milliseconds, and how many of them. */
const [lagMs, mostLags] = [60_000, 200]

interface EventParts {
  events: Pick<RecordEvents, 'lags'>
  note(event: NewTraceEvent): void
  onError(error: unknown): void
}

export function openEvents(org: OpenedOrg, { events, note, onError }: EventParts): OpenedEvents {
  const { records } = org
  const facts = (fact: 'anyWaitingEvent' | 'anyEvent'): boolean =>
    org.store.read((reader) => reader.recordFacts[fact]())
  let known: { snapshot: RecordSnapshot; channels: ReturnType<typeof channelsOf> } | null = null
  const channels = (): ReturnType<typeof channelsOf> => {
    const snapshot = records.snapshots.active()
    if (known?.snapshot !== snapshot) known = { snapshot, channels: channelsOf(snapshot) }
    return known.channels
  }
  const watch = createEventWatch({
    headsOf: (watched) =>
      records.store().read(async (reader) => {
        const heads = new Map<ChannelId, string>()
        for (const channel of watched) {
          const log = await reader.eventLog(channel)
          heads.set(channel, `${log?.epoch} ${log?.partitions.map(({ head }) => head).join()}`)
        }
        return heads
      }),
    onError,
  })
  const drainer = createDrainer({
    writes: records.events,
    channels: () => channels().drained,
    isWaiting: async () => facts('anyWaitingEvent'),
    newToken: () => org.ids.uuid(),
    onEvents: watch.tell,
    onError,
  })
  const purge = async (): Promise<void> => {
    if (!facts('anyEvent')) return
    const logs = await records.store().read((reader) => reader.eventChannels())
    const { days } = channels()
    await purgeEvents({ writes: records.events, logs, daysOf: (channel) => days.get(channel) })
  }
  const noteLags = async (): Promise<void> => {
    if (!facts('anyEvent')) return
    const behind = (await events.lags()).filter(({ lag }) => lag > 0)
    for (const { name, owner, channel, lag, since } of behind.slice(0, mostLags))
      note({
        ...{ at: org.clock.now(), kind: 'lag', correlationId: null, subject: `event_channel/${channel}` },
        ...{ record: null, actor: null, isFailed: false, durationMs: null },
        facts: { subscription: name, owner, lag, since },
      })
  }
  let noting: Promise<void> = Promise.resolve()
  const lagTimer = setInterval(() => void (noting = noteLags().catch(onError)), lagMs).unref()
  let purging: Promise<void> = Promise.resolve()
  const timer = setInterval(() => void (purging = purge().catch(onError)), purgeMs).unref()
  return {
    watch,
    wake: drainer.wake,
    followChannels: () => {
      // Without events, the worker for records is not started.
      if (facts('anyEvent')) drainer.wake()
    },
    close: async () => {
      clearInterval(timer)
      clearInterval(lagTimer)
      await Promise.all([watch.close(), purging, noting])
      await drainer.close()
    },
  }
}

function channelsOf({ view, names }: RecordSnapshot): {
  drained: ReadonlyMap<ChannelId, DrainedChannel>
  days: ReadonlyMap<ChannelId, number>
} {
  const drained = new Map<ChannelId, DrainedChannel>()
  const days = new Map<ChannelId, number>()
  for (const { name, isDeclared, partitions, retentionDays, source } of listChannels(view)) {
    const id = names.channelId(name)
    if (id === undefined) continue
    // The first channel over an object continues the one that the object had before.
    const isFirst =
      isDeclared && source.kind === 'changes' && declaredOver(view, source.object)[0]?.key === name
    const replaces = isFirst ? (names.channelId(changesOf(source.object)) ?? null) : null
    drained.set(id, { partitions, replaces })
    days.set(id, retentionDays)
  }
  return { drained, days }
}
