// Receives deliveries at the paths of webhook endpoints, which are those of the active generation.
import type { Request, RequestHandler, Response } from 'express'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { mebibyte } from './budget.ts'
import { readBody } from './read-body.ts'
import { sendReply, jsonReply, textReply } from './reply.ts'
import type { Services } from './services.ts'

type Endpoint = ComponentOf<'webhook_endpoint'>

/** Of the body of a delivery, after decompression. */
const maxBytes = 2 * mebibyte

/** The path in metrics and in the log: the real one is configuration. */
const routeName = '{webhook}'

const methods = 'OPTIONS, POST'

/** Responds with 202 once a delivery is stored, and 200 to a repeated one and to a challenge. */
export function webhookReceipts(services: Services): RequestHandler {
  const find = endpointFinder()
  return (request, response, next) => {
    const endpoint = find(services.org.pin().view, request.path)
    if (endpoint === undefined) return next()
    response.locals['route'] = routeName
    if (request.method === 'POST') return void receive(services, endpoint, request, response).catch(next)
    response.setHeader('Allow', methods)
    if (request.method === 'OPTIONS') return void response.status(204).end()
    throw new AlmanacError(
      'protocol.method_not_allowed',
      `${request.method} is not allowed at ${request.path}. Use ${methods}.`,
    )
  }
}

/** Endpoints by their paths, which contain no character that is escaped. */
function endpointFinder(): (view: ComponentView, path: string) => Endpoint | undefined {
  const known = new WeakMap<ComponentView, ReadonlyMap<string, Endpoint>>()
  return (view, path) => {
    let byPath = known.get(view)
    if (byPath === undefined) {
      byPath = new Map([...view.list('webhook_endpoint')].map((endpoint) => [endpoint.body.path, endpoint]))
      known.set(view, byPath)
    }
    return byPath.get(path)
  }
}

async function receive(
  { webhooks, receiptRate }: Services,
  endpoint: Endpoint,
  request: Request,
  response: Response,
): Promise<void> {
  receiptRate?.admit(endpoint.key)
  const blocks = await readBody(request, response, { bytes: maxBytes })
  const received = await webhooks.receiver.receive(endpoint, {
    headers: request.headers,
    body: blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks),
    correlationId: String(response.locals['correlationId']),
    testedBy: null,
  })
  if (received.result === 'challenge') {
    await sendReply(response, 200, textReply(received.text))
    return
  }
  const { id, result } = received
  await sendReply(response, 200, jsonReply({ delivery: id }, { status: result === 'stored' ? 202 : 200 }))
}
