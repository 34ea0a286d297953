// A reader that is slower than the retention of its channel.
import { expect, it } from 'vitest'
import type { ChannelId } from '#kernel/events/index.ts'
import type { LoggedEvent } from '../../ports/events.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { readSlice } from './event-slices.ts'
import type { OpenChannel } from './open-channel.ts'

const open: OpenChannel = {
  id: 'event_channel paid 1' as ChannelId,
  channel: {
    ...{ name: 'paid', isDeclared: true, partitions: 2, retentionDays: 7, maxBytes: 1024 },
    source: { kind: 'platform', schema: [], partitionKey: null },
  },
}

const eventAt = (sequence: number): LoggedEvent => ({
  ...{ id: `e${sequence}`, sequence, at: '2026-01-01T00:00:00.000Z' },
  content: { kind: 'platform', payload: {}, actor: 'ada', correlationId: 'c', generation: 1 },
})

const reader = {
  eventLog: async () => ({
    ...{ tag: 'log', epoch: 1, epochs: [] },
    partitions: [
      { head: 6, tail: 4 },
      { head: 0, tail: 0 },
    ],
  }),
  events: async (_channel: ChannelId, { after }: { after: number }) =>
    [5, 6].filter((sequence) => sequence > after).map(eventAt),
} as unknown as Parameters<typeof readSlice>[1]

const slice = (position: number[], partition: number | null = null): ReturnType<typeof readSlice> =>
  readSlice({} as RecordCaller, reader, open, { position, partition, limit: 10 })

it('gets a gap for events that were removed before it has read them', async () => {
  const { events, gap, position } = await slice([2, 0])
  expect(events.map(({ event }) => event.sequence)).toEqual(['5', '6'])
  expect(gap).toEqual({
    reason: 'retention',
    partitions: [{ partition: 0, asked: '2', resumesAfter: '4' }],
  })
  expect(position).toEqual([6, 0])
})

it('gets none if it has read them, or reads another partition', async () => {
  expect((await slice([4, 0])).gap).toBe(null)
  expect((await slice([2, 0], 1)).gap).toBe(null)
})
