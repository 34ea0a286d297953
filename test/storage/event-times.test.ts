// The number of the newest event before a time, in a partition whose times are only nearly in order; and events read
// backwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import type { ChannelId } from '../../server/kernel/events/index.ts'

const channel = 'channel' as ChannelId
const start = Date.parse('2026-01-01T00:00:00.000Z')
const instant = (ms: number): string => new Date(start + ms).toISOString()

/** A second apart, each up to 4 seconds earlier or later than its turn. */
const times = Array.from({ length: 300 }, (_, at) => at * 1000 + ((at * 7919) % 8000) - 4000)
const removed = 40

let folder: string
let org: OpenedOrg
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-event-times-'))
  const dir = join(folder, 'org')
  await initOrg(dir, { name: 'Times', environment: 'test' }).close()
  org = openOrg(dir)
  await org.records.store().write(async (tx) => {
    for (const [at, ms] of times.entries())
      await tx.publish({
        ...{ id: `e${at + 1}`, channel, hash: 0, at: instant(ms), actor: 'admin', correlationId: 'c' },
        ...{ generation: 1, payload: { at }, records: [], sensitive: [] },
      })
  })
  const lease = { token: 't', isHolder: false, now: instant(1e9), until: instant(1e9 + 1) }
  const channels = new Map([[channel, { partitions: 1, replaces: null }]])
  await org.records
    .store()
    .write((tx) => tx.drainEvents({ ...lease, limit: 1000, channels, hasOtherChannels: true }))
  await org.records.store().write((tx) => tx.purgeEvents(channel, instant(1e9), removed))
})
afterAll(async () => {
  await org.close()
  rmSync(folder, { recursive: true, force: true })
})

it('is the one before the first event of the time or later', async () => {
  const wanted = (ms: number): number => {
    const first = times.findIndex((time, at) => at >= removed && time >= ms)
    return first === -1 ? times.length : first
  }
  for (let ms = -6000; ms < 310_000; ms += 487) {
    const found = await org.records.store().read((reader) => reader.eventBefore(channel, 0, instant(ms)))
    expect(found, instant(ms)).toBe(wanted(ms))
  }
})

it('is 0 in a channel without events', async () => {
  const none = 'none' as ChannelId
  expect(await org.records.store().read((reader) => reader.eventBefore(none, 0, instant(0)))).toBe(0)
})

it('has the events up to a number backwards, without those that were removed', async () => {
  const older = (upTo: number, limit: number): Promise<number[]> =>
    org.records.store().read(async (reader) => {
      const events = await reader.olderEvents(channel, { partition: 0, upTo, limit })
      return events.map(({ sequence }) => sequence)
    })
  expect(await older(300, 3)).toEqual([300, 299, 298])
  expect(await older(removed + 2, 100)).toEqual([removed + 2, removed + 1])
  expect(await older(removed, 100)).toEqual([])
})
