// News for an open studio, as server-sent events (HTTP surface).
import type { Response } from 'express'
import { streamReply } from '../reply.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { holds } from '../../access/index.ts'
import { idShown } from '../../pipeline/index.ts'
import { askingOf, type Asking } from '../caller.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import type { News } from '../event-hub.ts'
import type { Services } from '../services.ts'
import { asAsked } from '../views/as-asked.ts'

/** Often enough that no proxy thinks the stream is dead. */
const heartbeatMs = 25_000

export const events = defineRoute({
  method: 'get',
  path: '/setup/v3/events',
  name: 'followEvents',
  summary:
    'Server-sent events: generation { generation, actor }, draft { id, version, author }, change-request { id, state, digest, actor }, remote { remote, job? }',
  effect: 'reads',
  media: 'text/event-stream',
  errors: [],
  handle: (request) =>
    streamReply('text/event-stream; charset=utf-8', (response) => follow(request, response)),
})

const guarded = { method: 'get', path: '/setup/v3/events', effect: 'reads' } as const

/** What somebody does not see is not there for them. */
function isFor(news: News, { requests }: Services, asking: Asking): boolean {
  const { access, sight } = asking
  if (news.event === 'remote') return holds(asking.access, 'integration.manage_credentials')
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
  /** Asked anew each time: a session that has ended, or a right that was taken away, counts at once. */
  const asking = (): Asking | null => {
    try {
      return askingOf(services, raw.request, guarded, correlationId)
    } catch {
      response.end()
      return null
    }
  }
  const stopListening = hub.listen((news) => {
    const now = asking()
    if (now !== null && isFor(news, services, now))
      response.write(`event: ${news.event}\ndata: ${JSON.stringify(news.data)}\n\n`)
  })
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
