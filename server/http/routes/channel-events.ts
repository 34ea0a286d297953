// The events of a channel, as pages.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { cursorText, eventGap, eventJson, fromText, partition, startOf } from '../schemas/events.ts'
import { callerOf } from '../views/record-caller.ts'
import { channelName } from './channels.ts'
import type { EventStart, StreamStart } from '../../records/index.ts'

const maxWaitSeconds = 60
const number = (most: number, text: string) =>
  z
    .string()
    .refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= most, { error: text })
    .transform(Number)

export const readEvents = defineRoute({
  method: 'get',
  path: '/events/v3/channels/{channel}/events',
  name: 'readEvents',
  summary: 'Read the events of a channel after a cursor, and optionally wait for the first one',
  effect: 'reads',
  params: z.strictObject({ channel: channelName }),
  query: z.strictObject({
    partition: partition.optional(),
    after: z.string().min(1).max(1400).optional().meta({
      description:
        'A cursor; or with a partition, the number of an event. The first retained event if omitted.',
    }),
    from: fromText.optional().meta({ description: 'Instead of "after": where to begin.' }),
    limit: number(1000, 'Use a whole number from 1 to 1000.').optional(),
    wait: number(maxWaitSeconds, `Use a whole number of seconds up to ${maxWaitSeconds}.`).optional(),
  }),
  reply: z.object({
    events: z.array(eventJson),
    cursor: cursorText,
    isAtEnd: z.boolean().meta({ description: 'Whether nothing followed when the page was read.' }),
    gap: eventGap
      .nullable()
      .meta({ description: 'What was asked for and is not there; null in most cases.' }),
  }),
  errors: ['channel.not_found', 'request.malformed', 'event.cursor', 'limit.busy'],
  handle: async (request) => {
    const { services, params, query } = request
    const { events } = services.records
    const only = query.partition ?? null
    const {
      channel,
      position: first,
      gap,
    } = await events.start(callerOf(request), params.channel, startOfPage(query), only)
    const limit = query.limit ?? 100
    const until = performance.now() + (query.wait ?? 0) * 1000
    let position = first
    for (;;) {
      const slice = await events.next(callerOf(request), params.channel, { position, partition: only, limit })
      position = slice.position
      const left = until - performance.now()
      // What the caller cannot see does not end the wait.
      if (slice.events.length > 0 || left <= 0 || isGone(request)) {
        const { cursor, isAtEnd } = slice
        return {
          events: slice.events.map(({ event }) => ({ ...event, payload: { ...event.payload } })),
          cursor,
          isAtEnd,
          gap,
        }
      }
      if (slice.isAtEnd) await nextEvents(request, channel, left)
    }
  },
})

type PageRequest = SignedInRequest<unknown, unknown, unknown>

const isGone = ({ raw }: PageRequest): boolean => raw.response.closed

/** Resolves when the channel may have new events, or the time is over, or the caller has gone. */
function nextEvents(
  { services, raw }: PageRequest,
  channel: StreamStart['channel'],
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      stop()
      stopClosing()
      raw.response.off('close', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    const stop = services.eventWatch?.watch(channel, end) ?? (() => undefined)
    const stopClosing = services.events.onClose(end)
    raw.response.on('close', end)
  })
}

function startOfPage({
  after,
  from,
  partition: only,
}: {
  after?: string | undefined
  from?: string | undefined
  partition?: number | undefined
}): EventStart {
  if (after !== undefined && from !== undefined)
    throw new AlmanacError('request.malformed', 'Use either "after" or "from", not both.')
  if (after !== undefined && /^\d{1,15}$/.test(after)) {
    if (only === undefined) throw needsPartition('after', after)
    return { kind: 'sequence', sequence: Number(after) + 1 }
  }
  const start = startOf(after ?? from ?? 'earliest', only)
  if (start === 'needs_partition') throw needsPartition('from', from!)
  return start
}

const needsPartition = (name: string, value: string): AlmanacError =>
  new AlmanacError(
    'request.malformed',
    `${name}: ${value} is the number of an event, which belongs to a partition. Add "partition", or use a cursor.`,
  )
