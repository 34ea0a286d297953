// The events of a channel as they are committed, as server-sent events.
import type { Response } from 'express'
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { EventGap } from '#wire/events.ts'
import type { EventSlice, EventStart, Marks, Position, StreamStart } from '../../records/index.ts'
import { mediaReply } from '../reply.ts'
import { createRequestContext, type RequestContext } from '../request-context.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { fromText, partition, startIn } from '../schemas/events.ts'
import { callerOf } from '../views/record-caller.ts'
import { isOtherEpoch } from './channel-events.ts'
import { channelName } from './channels.ts'

/** Often enough that proxies do not close the stream as idle, and that a quiet cursor does not age. */
const heartbeatMs = 15_000

/** A reader that takes nothing for this long finds the door, with its cursor. */
const stalledMs = 30_000

/** Events that are read at once: what a slow reader has not taken is in the log, and not in memory. */
const slice = 400

const path = '/events/v3/channels/{channel}/subscribe'

export const subscribe = defineRoute({
  method: 'get',
  path,
  name: 'subscribe',
  summary:
    'Stream the events of a channel: "change" or "event" with an event, "gap" with what is missing, "heartbeat" with the newest numbers',
  effect: 'reads',
  params: z.strictObject({ channel: channelName }),
  query: z.strictObject({
    partition: partition.optional(),
    from: fromText.optional().meta({ description: 'Default "latest". Last-Event-ID goes before it.' }),
    subscription: z.string().min(1).max(200).optional().meta({
      description: 'Instead of "from": the name of a subscription, whose cursor is used.',
    }),
  }),
  requestHeaders: ['Last-Event-ID'],
  media: 'text/event-stream',
  errors: [
    ...(['channel.not_found', 'subscription.not_found', 'request.malformed', 'event.cursor'] as const),
    'limit.busy',
  ],
  handle: async (request) => {
    const { services, raw, params, query } = request
    const { events } = services.records
    const only = query.partition ?? null
    const start = await events.start(callerOf(request), params.channel, await wanted(request), only)
    const giveBack = services.events.openStream(request.by.actor, 'channel')
    if (raw.response.closed) giveBack()
    else raw.response.on('close', giveBack)
    return mediaReply('text/event-stream; charset=utf-8', {
      stream: (response) => new EventStream(request, response, only).run(start),
    })
  },
})

type SubscribeRequest = SignedInRequest<
  { channel: string },
  { partition?: number | undefined; from?: string | undefined; subscription?: string | undefined },
  unknown
>

async function wanted(request: SubscribeRequest): Promise<EventStart> {
  const { services, raw, params, query } = request
  const last = raw.request.get('Last-Event-ID')
  if (last !== undefined && last !== '') return { kind: 'cursor', cursor: last }
  if (query.subscription !== undefined) {
    if (query.from !== undefined)
      throw new AlmanacError('request.malformed', 'Use either "from" or "subscription", not both.')
    const { events } = services.records
    const { channel, cursor } = await events.subscription(callerOf(request), query.subscription)
    // An alias of an object names its channel too.
    const isNamed = async (): Promise<boolean> =>
      (await events.channel(callerOf(request), params.channel)).name === channel
    if (channel !== null && channel !== params.channel && !(await isNamed()))
      throw new AlmanacError(
        'request.malformed',
        `The subscription "${query.subscription}" follows the channel ${channel}.`,
      )
    return { kind: 'cursor', cursor }
  }
  return startIn(query.from ?? 'latest', query.partition)
}

class EventStream {
  readonly #request: SubscribeRequest
  readonly #response: Response
  readonly #only: number | null
  readonly #route = { method: 'get', path, effect: 'reads' } as const
  #position: Position = []
  #marks: Marks = []
  #epoch = 0
  #isWanted = true
  #isRunning = false
  #lastWrite = performance.now()
  /** The cursor that the client has. */
  #told = ''

  constructor(request: SubscribeRequest, response: Response, only: number | null) {
    this.#request = request
    this.#response = response
    this.#only = only
  }

  run({ channel, epoch, position, marks, cursor, gap }: StreamStart): void {
    const { services } = this.#request
    const response = this.#response
    this.#position = position
    this.#marks = marks
    this.#epoch = epoch
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-Accel-Buffering', 'no')
    response.flushHeaders()
    this.#tell(cursor, `retry: 2000\n${gapText(gap)}id: ${cursor}\n\n`)
    const stopWatching = services.eventWatch?.watch(channel, () => this.#wake()) ?? (() => undefined)
    const stopClosing = services.events.onClose(() => response.end())
    const heartbeat = setInterval(() => void this.#beat(), heartbeatMs)
    response.on('close', () => {
      clearInterval(heartbeat)
      stopWatching()
      stopClosing()
    })
    this.#wake()
  }

  #wake(): void {
    this.#isWanted = true
    if (this.#isRunning || this.#response.writableEnded) return
    this.#isRunning = true
    void this.#deliver().finally(() => {
      this.#isRunning = false
      // It was called after the last look.
      if (this.#isWanted) this.#wake()
    })
  }

  async #deliver(): Promise<void> {
    while (this.#isWanted && !this.#response.writableEnded) {
      this.#isWanted = false
      const asking = this.#asking()
      if (asking === null) return
      const found = await this.#next(asking)
      if (found === null) return
      // The client connects again, and is shown what a new epoch means for its cursor.
      if (isOtherEpoch({ epoch: this.#epoch }, found)) return void this.#response.end()
      this.#epoch = found.epoch
      this.#position = found.position
      this.#marks = found.marks
      if (!found.isAtEnd) this.#isWanted = true
      if (!this.#send(found) && !(await this.#drained())) return
    }
  }

  /** Checked for each slice, so an ended session or a removed right takes effect immediately. */
  #asking(): RequestContext | null {
    const { services, raw, correlationId } = this.#request
    try {
      return createRequestContext(services, raw.request, this.#route, correlationId)
    } catch {
      this.#response.end()
      return null
    }
  }

  async #next(asking: RequestContext): Promise<EventSlice | null> {
    const { services, params } = this.#request
    const request = { position: this.#position, marks: this.#marks, partition: this.#only, limit: slice }
    try {
      return await services.records.events.next(callerOf(asking), params.channel, request)
    } catch (error) {
      // The channel was removed, or the caller cannot read it any more: a new request shows which.
      if (!(error instanceof AlmanacError)) services.log.error({ err: error }, 'a stream of events ended')
      this.#response.end()
      return null
    }
  }

  /** Returns whether the connection takes more. */
  #send({ events, cursor, position, gap }: EventSlice): boolean {
    const missed = gapText(gap)
    if (events.length === 0) {
      // What access hides advances the cursor.
      return cursor === this.#told ? true : this.#tell(cursor, `${missed}id: ${cursor}\n\n`)
    }
    let text = missed === '' ? '' : `${missed}\n`
    for (const { event, cursor: after } of events)
      text += `event: ${'operation' in event.payload ? 'change' : 'event'}\nid: ${after}\ndata: ${JSON.stringify(event)}\n\n`
    if (events.at(-1)!.cursor !== cursor) text += `id: ${cursor}\n\n`
    this.#position = position
    return this.#tell(cursor, text)
  }

  #tell(cursor: string, text: string): boolean {
    this.#told = cursor
    return this.#write(text)
  }

  #write(text: string): boolean {
    this.#lastWrite = performance.now()
    return this.#response.write(text)
  }

  /** Resolves to whether the client has taken what was written. */
  #drained(): Promise<boolean> {
    const response = this.#response
    return new Promise((resolve) => {
      const end = (isDrained: boolean) => (): void => {
        clearTimeout(timer)
        response.off('drain', drained)
        response.off('close', closed)
        resolve(isDrained)
      }
      const [drained, closed] = [end(true), end(false)]
      const timer = setTimeout(() => {
        closed()
        response.destroy()
      }, stalledMs)
      response.on('drain', drained)
      response.on('close', closed)
    })
  }

  async #beat(): Promise<void> {
    if (this.#isRunning || performance.now() - this.#lastWrite < heartbeatMs / 2) return
    const asking = this.#asking()
    const found = asking === null ? null : await this.#next(asking)
    if (found === null || this.#isRunning || this.#response.writableEnded) return
    if (found.events.length > 0 || found.gap !== null || found.epoch !== this.#epoch) return this.#wake()
    this.#position = found.position
    this.#marks = found.marks
    const data = JSON.stringify({ latest: found.latest.map(String) })
    this.#tell(found.cursor, `event: heartbeat\nid: ${found.cursor}\ndata: ${data}\n\n`)
  }
}

/** The fields of a frame that shows a gap; empty without one. */
const gapText = (gap: EventGap | null): string =>
  gap === null ? '' : `event: gap\ndata: ${JSON.stringify(gap)}\n`
