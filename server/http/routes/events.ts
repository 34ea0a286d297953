// Server-sent events for open studios (HTTP surface).
import type { Response } from 'express'
import { streamReply } from '../reply.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { holds } from '../../access/index.ts'
import { idShown } from '../../pipeline/index.ts'
import { askingOf, type Asking } from '../caller.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import type { News } from '../event-hub.ts'
import { inBatches } from '../in-batches.ts'
import type { Services } from '../services.ts'
import { asAsked } from '../views/as-asked.ts'

/** Often enough that proxies do not close the stream as idle. */
const heartbeatMs = 25_000

export const events = defineRoute({
  method: 'get',
  path: '/setup/v3/events',
  name: 'followEvents',
  summary:
    'Stream server-sent events: generation { generation, actor }, draft { id, version, author }, change-request { id, state, digest, actor }, remote { remote, job? }, people { id, actor }',
  effect: 'reads',
  media: 'text/event-stream',
  errors: ['limit.busy'],
  handle: (request) => {
    const { response: connection } = request.raw
    const giveBack = request.services.events.open(request.by.actor)
    if (connection.closed) giveBack()
    else connection.on('close', giveBack)
    return streamReply('text/event-stream; charset=utf-8', (response) => follow(request, response))
  },
})

/** Maximum events in one turn of the event loop. */
const mostInTurn = 500

const guarded = { method: 'get', path: '/setup/v3/events', effect: 'reads' } as const

/** Events about things that a user cannot see are not sent to them. */
function isFor(news: News, { requests }: Services, asking: Asking): boolean {
  const { access, sight } = asking
  if (news.event === 'remote') return holds(asking.access, 'integration.manage_credentials')
  if (news.event === 'people') return holds(access, 'access.manage')
  if (news.event === 'change-request') return requests.knows(asAsked(asking), news.data.id)
  return (
    news.event !== 'draft' || news.data.author === access.user || idShown(news.data.id as ComponentId, sight)
  )
}

type Followed = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'raw' | 'world' | 'correlationId'
>

function follow({ services, raw, world, correlationId }: Followed, response: Response): void {
  const hub = services.events
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  response.write(`retry: 2000\n: generation ${world.generation}\n\n`)
  /** Checked for each batch, so an ended session or a removed right takes effect at once. */
  const asking = (): Asking | null => {
    try {
      return askingOf(services, raw.request, guarded, correlationId)
    } catch {
      response.end()
      return null
    }
  }
  // A user who discards 20,000 drafts causes 20,000 events for each listener.
  const stopListening = hub.listen(
    inBatches(mostInTurn, (batch) => {
      const now = response.writableEnded ? null : asking()
      if (now === null) return
      const shown = batch.filter((news) => isFor(news, services, now))
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
