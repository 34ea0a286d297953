// Dispatches the data API before Express, with the same steps, handlers and errors. Only what needs none of the rules of
// Express for URLs and methods is dispatched here; everything else goes to Express.
import type { RequestListener } from 'node:http'
import { setImmediate } from 'node:timers'
import type { ErrorRequestHandler, Express, Request, Response } from 'express'
import { EdgeRequest } from './edge-messages.ts'
import { routesByPath } from './mount.ts'
import { createPositions } from './position.ts'
import type { RequestStep } from './request-step.ts'
import { createRouteHandler, type RouteHandler } from './route-handler.ts'
import type { Route } from './route.ts'
import type { Services } from './services.ts'

interface Parts {
  app: Express
  steps: RequestStep
  refuse: ErrorRequestHandler
}

/** The server must create its requests and responses as `EdgeRequest` and `EdgeResponse`; others go to Express. */
export function createDataEdge(
  services: Services,
  routes: readonly Route[],
  { app, steps, refuse }: Parts,
): RequestListener {
  const positions = createPositions(services)
  const find = createRouteFinder(routes, (route) => createRouteHandler(services, route, positions))
  const refuseSafely = (error: unknown, request: Request, response: Response): void => {
    try {
      refuse(error, request, response, () => undefined)
    } catch (cause) {
      services.log.error({ err: cause }, 'an error could not be sent')
      response.destroy()
    }
  }
  const handle = ({ request, response, found }: Waiting): void => {
    // Its connection was closed in the meantime.
    if (request.socket.destroyed || response.closed) return
    request.app = response.app = app
    request.res = response
    request.originalUrl = request.url
    request.params = found.params
    response.locals = {}
    try {
      steps(request, response)
      found.handle(request, response).catch((error: unknown) => refuseSafely(error, request, response))
    } catch (error) {
      refuseSafely(error, request, response)
    }
  }
  let waiting: Waiting[] = []
  const handleAll = (): void => {
    const all = waiting
    waiting = []
    services.moments.run(() => all.forEach(handle))
  }
  return (incoming, outgoing) => {
    const found = incoming instanceof EdgeRequest ? find(incoming.method!, incoming.url!) : null
    if (found === null) return void app(incoming as Request, outgoing as Response)
    if (waiting.length === 0) setImmediate(handleAll)
    waiting.push({ request: incoming as Request, response: outgoing as Response, found })
  }
}

/** A request that waits for the others that have arrived in the same turn of the event loop. */
interface Waiting {
  request: Request
  response: Response
  found: FoundRoute
}

interface FoundRoute {
  handle: RouteHandler
  params: Record<string, string>
}

interface KnownPath {
  segments: readonly string[]
  handlers: ReadonlyMap<string, RouteHandler>
}

const dataPath = '/data/v3'

/** No character that is escaped, and none that ends the path other than the query. */
const plainUrl = /^[\w.~/-]+(?:\?[^#]*)?$/

/** Returns a function that finds the route of a plain URL, as Express does; null if Express must find it. */
export function createRouteFinder(
  routes: readonly Route[],
  handlerOf: (route: Route) => RouteHandler,
): (method: string, url: string) => FoundRoute | null {
  const byLength = new Map<number, KnownPath[]>()
  const ours = routes.filter(({ path }) => path === dataPath || path.startsWith(`${dataPath}/`))
  for (const [path, siblings] of routesByPath(ours)) {
    const segments = path.split('/')
    const handlers = new Map(siblings.map((route) => [route.method.toUpperCase(), handlerOf(route)]))
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { segments, handlers }])
  }
  return (method, url) => {
    if (!url.startsWith(dataPath) || !plainUrl.test(url)) return null
    const query = url.indexOf('?')
    const segments = (query === -1 ? url : url.slice(0, query)).split('/')
    const path = byLength.get(segments.length)?.find((known) => matches(known.segments, segments))
    const handle = path?.handlers.get(method)
    return handle === undefined ? null : { handle, params: paramsOf(path!.segments, segments) }
  }
}

const isParameter = (segment: string): boolean => segment.startsWith('{')

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((name, at) => (isParameter(name) ? segments[at] !== '' : name === segments[at]))
}

function paramsOf(template: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [at, name] of template.entries())
    if (isParameter(name)) params[name.slice(1, -1)] = segments[at]!
  return params
}
