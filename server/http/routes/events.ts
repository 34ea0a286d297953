// News for an open studio, as server-sent events (HTTP surface).
import type { Response } from 'express'
import { streamReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { EventHub } from '../event-hub.ts'

/** Often enough that no proxy thinks the stream is dead. */
const heartbeatMs = 25_000

export const events = defineRoute({
  method: 'get',
  path: '/setup/v3/events',
  name: 'followEvents',
  summary: 'Server-sent events: generation { generation, actor }, draft { id, version, author }',
  effect: 'reads',
  media: 'text/event-stream',
  errors: [],
  handle: ({ services, world }) =>
    streamReply('text/event-stream; charset=utf-8', (response) =>
      follow(services.events, response, world.generation),
    ),
})

function follow(hub: EventHub, response: Response, generation: number): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  response.write(`retry: 2000\n: generation ${generation}\n\n`)
  const stopListening = hub.listen(({ event, data }) => {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  })
  const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs)
  const stopWaiting = hub.onClose(() => response.end())
  response.on('close', () => {
    clearInterval(heartbeat)
    stopListening()
    stopWaiting()
  })
}
