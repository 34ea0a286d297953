// The events of a channel, as pages.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { eventArrivals, type EventArrivals } from '../event-arrivals.ts'
import { createRequestContext } from '../request-context.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import {
  cursorText,
  eventGap,
  fromText,
  longestCursor,
  needsPartition,
  pageEvent,
  partition,
  startIn,
} from '../schemas/events.ts'
import { callerOf } from '../views/record-caller.ts'
import { channelName } from './channels.ts'
import type { EventSlice, EventStart, StreamStart } from '../../records/index.ts'

const maxWaitSeconds = 60
const number = (least: number, most: number, text: string) =>
  z
    .string()
    .refine((value) => /^\d{1,5}$/.test(value) && Number(value) >= least && Number(value) <= most, {
      error: text,
    })
    .transform(Number)

const page = z.object({
  events: z.array(pageEvent),
  start: cursorText.meta({ description: 'Where the page begins.' }),
  cursor: cursorText.meta({
    description: 'Where the next page begins: the next "after", or the next "before".',
  }),
  isAtEnd: z.boolean().meta({
    description: 'Whether nothing followed when the page was read; with "before", whether nothing is older.',
  }),
  gap: eventGap.nullable().meta({ description: 'What was asked for and is not there; null in most cases.' }),
})

const path = '/events/v3/channels/{channel}/events'

export const readEvents = defineRoute({
  method: 'get',
  path,
  name: 'readEvents',
  summary:
    'Read the events of a channel after a cursor, and optionally wait for the first one; or backwards, those before a cursor',
  effect: 'reads',
  params: z.strictObject({ channel: channelName }),
  query: z.strictObject({
    partition: partition.optional(),
    after: z.string().min(1).max(longestCursor).optional().meta({
      description:
        'A cursor; or with a partition, the number of an event. The first retained event if omitted.',
    }),
    from: fromText.optional().meta({
      description:
        'Instead of "after": where to begin, as "latest", "earliest", a cursor, an instant (ISO 8601), or with a partition the number of the first event.',
    }),
    before: z.string().min(1).max(longestCursor).optional().meta({
      description:
        'Instead of "after": a cursor, "latest" or an instant. The page has the events before it, the newest first.',
    }),
    limit: number(1, 1000, 'Use a whole number from 1 to 1000.').optional(),
    wait: number(0, maxWaitSeconds, `Use a whole number of seconds up to ${maxWaitSeconds}.`).optional(),
  }),
  reply: page,
  errors: ['channel.not_found', 'request.malformed', 'event.cursor', 'limit.busy'],
  handle: (request) =>
    request.query.before === undefined ? newerPage(request) : olderPage(request, request.query.before),
})

interface PageQuery {
  partition?: number | undefined
  after?: string | undefined
  from?: string | undefined
  before?: string | undefined
  limit?: number | undefined
  wait?: number | undefined
}
type PageRequest = SignedInRequest<{ channel: string }, PageQuery, unknown>

const usualLimit = 100

async function newerPage(request: PageRequest): Promise<EventPage> {
  const { services, params, query } = request
  const { events } = services.records
  const only = query.partition ?? null
  const first = await events.start(callerOf(request), params.channel, startOfPage(query), only)
  const { channel, cursor: start } = first
  let { gap } = first
  const limit = query.limit ?? usualLimit
  let until = performance.now() + (query.wait ?? 0) * 1000
  let { position, marks } = first
  const arrivals = arrivalsOf(request, channel)
  try {
    for (let asking: CallingContext = request; ; asking = askingNow(request)) {
      arrivals.begin()
      const slicing = { position, marks, partition: only, limit }
      const slice = await events.next(callerOf(asking), params.channel, slicing)
      // The next request shows what a new epoch means for its cursor.
      if (isOtherEpoch(first, slice)) return { events: [], start, cursor: start, isAtEnd: false, gap }
      ;({ position, marks } = slice)
      gap ??= slice.gap
      const left = until - performance.now()
      // What the caller cannot see does not end the wait.
      if (slice.events.length > 0 || left <= 0 || isGone(request)) {
        const { cursor, isAtEnd } = slice
        return { events: pageEvents(slice), start, cursor, isAtEnd, gap }
      }
      if (slice.isAtEnd && !(await arrivals.next(left))) until = 0
    }
  } finally {
    arrivals.end()
  }
}

const arrivalsOf = ({ services, raw }: PageRequest, channel: StreamStart['channel']): EventArrivals =>
  eventArrivals({
    channel,
    watch: services.eventWatch,
    onServerClose: services.events.onClose,
    response: raw.response,
  })

type CallingContext = Parameters<typeof callerOf>[0]

/** Checked again after each wait: a right that was removed in the meantime does not count. */
const askingNow = ({ services, raw, correlationId }: PageRequest): CallingContext =>
  createRequestContext(services, raw.request, { method: 'get', path, effect: 'reads' }, correlationId)

async function olderPage(request: PageRequest, before: string): Promise<EventPage> {
  const { services, params, query } = request
  const { events } = services.records
  for (const name of ['after', 'from', 'wait'] as const)
    if (query[name] !== undefined)
      throw new AlmanacError('request.malformed', `Use either "before" or "${name}", not both.`)
  const only = query.partition ?? null
  const wanted = startIn(before, only ?? undefined)
  const begun = await events.start(callerOf(request), params.channel, wanted, only)
  const { position, cursor: start, gap: missed } = begun
  const slicing = { position, partition: only, limit: query.limit ?? usualLimit }
  const slice = await events.older(callerOf(request), params.channel, slicing)
  const { cursor, isAtEnd, gap: removed } = slice
  // What was removed because of its age is missing only at the end.
  const gap = missed === null || missed.reason === 'retention' ? removed : missed
  return { events: pageEvents(slice), start, cursor, isAtEnd, gap }
}

/** The first event of a channel begins its first epoch. */
export const isOtherEpoch = ({ epoch }: Pick<StreamStart, 'epoch'>, slice: EventSlice): boolean =>
  epoch !== 0 && slice.epoch !== epoch

type EventPage = z.output<typeof page>

const pageEvents = ({ events }: Pick<EventSlice, 'events'>): EventPage['events'] =>
  events.map(({ event, cursor }) => ({ ...event, payload: { ...event.payload }, cursor }))

const isGone = ({ raw }: PageRequest): boolean => raw.response.closed

function startOfPage({ after, from, partition: only }: PageQuery): EventStart {
  if (after !== undefined && from !== undefined)
    throw new AlmanacError('request.malformed', 'Use either "after" or "from", not both.')
  if (after !== undefined && /^\d{1,15}$/.test(after)) {
    if (only === undefined) throw needsPartition('after', after)
    return { kind: 'sequence', sequence: Number(after) + 1 }
  }
  return startIn(after ?? from ?? 'earliest', only)
}
