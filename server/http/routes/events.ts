// Server-sent events for open studios.
import type { Response } from 'express'
import { mediaReply } from '../reply.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { hasPermission } from '../../access/index.ts'
import { isIdVisible } from '../../pipeline/index.ts'
import { createRequestContext, type RequestContext } from '../request-context.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import type { StudioEvent } from '../event-hub.ts'
import { createBatcher } from '../batcher.ts'
import type { Services } from '../services.ts'
import { callerOf } from '../views/record-caller.ts'
import { viewingActor } from '../views/viewing-actor.ts'

/** Often enough that proxies do not close the stream as idle. */
const heartbeatMs = 25_000

export const events = defineRoute({
  method: 'get',
  path: '/setup/v3/events',
  name: 'followEvents',
  summary:
    'Stream server-sent events: generation { generation, actor }, draft { id, version, author }, change-request { id, state, digest, actor }, remote { remote, job? }, people { id, actor }, records { object }',
  effect: 'reads',
  media: 'text/event-stream',
  errors: ['limit.busy'],
  handle: (request) => {
    const { response: connection } = request.raw
    const giveBack = request.services.events.openStream(request.by.actor, 'studio')
    if (connection.closed) giveBack()
    else connection.on('close', giveBack)
    return mediaReply('text/event-stream; charset=utf-8', {
      stream: (response) => streamEvents(request, response),
    })
  },
})

/** Maximum events in one turn of the event loop. */
const maxEventsPerTurn = 500

const guardedRoute = { method: 'get', path: '/setup/v3/events', effect: 'reads' } as const

/** Events about what a user cannot see are not sent to them. */
function isVisibleTo(
  studioEvent: StudioEvent,
  { requests, records }: Services,
  asking: RequestContext,
): boolean {
  const { access, viewer } = asking
  if (studioEvent.event === 'remote') return hasPermission(asking.access, 'integration.manage_credentials')
  if (studioEvent.event === 'record-job') return hasPermission(access, 'operations.manage')
  if (studioEvent.event === 'ingest')
    return studioEvent.data.createdBy === access.user || hasPermission(access, 'operations.manage')
  if (studioEvent.event === 'people') return hasPermission(access, 'access.manage')
  if (studioEvent.event === 'records') return records.canRead(callerOf(asking), studioEvent.data.object)
  if (studioEvent.event === 'change-request')
    return requests.canSee(viewingActor(asking), studioEvent.data.id)
  return (
    studioEvent.event !== 'draft' ||
    studioEvent.data.author === access.user ||
    isIdVisible(studioEvent.data.id as ComponentId, viewer)
  )
}

type StreamRequest = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'raw' | 'snapshot' | 'correlationId'
>

function streamEvents({ services, raw, snapshot, correlationId }: StreamRequest, response: Response): void {
  const hub = services.events
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  response.write(`retry: 2000\n: generation ${snapshot.generation}\n\n`)
  /** Checked for each batch, so an ended session or a removed right takes effect immediately. */
  const asking = (): RequestContext | null => {
    try {
      return createRequestContext(services, raw.request, guardedRoute, correlationId)
    } catch {
      response.end()
      return null
    }
  }
  // A user who discards 20,000 drafts causes 20,000 events for each listener.
  const stopListening = hub.subscribe(
    createBatcher(maxEventsPerTurn, (batch) => {
      const now = response.writableEnded ? null : asking()
      if (now === null) return
      const shown = batch.filter((studioEvent) => isVisibleTo(studioEvent, services, now))
      response.write(
        shown.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
      )
    }),
  )
  const heartbeat = setInterval(() => {
    if (asking() !== null) response.write(': still here\n\n')
  }, heartbeatMs)
  const stopWaiting = hub.onClose(() => response.end())
  response.on('close', () => {
    clearInterval(heartbeat)
    stopListening()
    stopWaiting()
  })
}
