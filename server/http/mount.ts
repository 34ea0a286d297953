// Builds the Express router from the declarations: body, inputs, caller, handler, response.
import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { budgetOf, type Budget } from './budget.ts'
import { createRequestContext, serializeContext, type RequestContext } from './request-context.ts'
import { handleRoute, parseInputs } from './handle-route.ts'
import type { RouteCall } from './lanes.ts'
import { isLargeOrg } from './org-size.ts'
import { createPositions, positionHeader, type Positions } from './position.ts'
import { requireUtf8 } from './parse-body.ts'
import { readBody } from './read-body.ts'
import { Reply, sendReply } from './reply.ts'
import type { Method, Route } from './route.ts'
import type { Services } from './services.ts'

/** A path with its routes. */
export interface MountedPath {
  path: string
  routes: readonly { method: Method; serve: Serve }[]
  /** Responds with the error format of another standard; false if no route of the path has one. */
  sendForeignError(error: unknown, response: Response): boolean
}

/** Handles a request to a route from its context to its response. */
export type Serve = (request: Request, response: Response) => Promise<void>

/**
 * The paths in the order in which they are tried.
 *
 * @param routes all routes; two with the same method and path are a mistake
 */
export function mountedPaths(services: Services, routes: readonly Route[]): MountedPath[] {
  const positions = createPositions(services)
  return [...Map.groupBy(routes, ({ path }) => path)]
    .sort(([a], [b]) => bySpecificity(a, b))
    .map(([path, siblings]) => ({
      path,
      routes: siblings.map((route) => ({
        method: route.method,
        serve: serveRoute(services, route, positions),
      })),
      sendForeignError: (error, response) =>
        siblings.some((route) => route.sendForeignError?.(error, response) === true),
    }))
}

export function mountRoutes(paths: readonly MountedPath[]): Router {
  const router = Router()
  for (const mounted of paths) {
    const at = router.route(expressPath(mounted.path))
    for (const { method, serve } of mounted.routes)
      at[method]((request, response, next) => {
        serve(request, response).catch(next)
      })
    at.all(methodNotAllowedHandler(mounted))
    at.all(foreignErrorHandler(mounted))
  }
  return router
}

/** Sorts `/a/b` before `/a/{key}`, in any order of the list. */
function bySpecificity(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  for (const [index, segment] of left.entries()) {
    const isParameter = segment.startsWith('{')
    if (isParameter !== (right[index]?.startsWith('{') ?? false)) return isParameter ? 1 : -1
  }
  return 0
}

/** Converts `/a/{key}` to the notation of Express. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Identifies the caller before a byte of the body is read. */
async function admit(
  services: Services,
  route: Route,
  positions: Positions,
  { request, response }: { request: Request; response: Response },
): Promise<RequestContext | undefined> {
  if (route.access === 'public') return undefined
  // Applies of another process, such as the command line, are seen now and not only at the next check.
  if (services.turns.open().generation !== services.org.activeGeneration()) await services.org.refresh()
  const context = createRequestContext(services, request, route, String(response.locals['correlationId']))
  const sent = request.get(positionHeader)
  if (sent !== undefined) await positions.require(sent)
  response.setHeader(positionHeader, positions.current(route.effect))
  admitClient(services, route, context, response)
  return context
}

/** @throws AlmanacError `limit.rate`, `limit.concurrency` */
function admitClient(
  { clientLimits }: Services,
  { media }: Route,
  { identity, snapshot }: RequestContext,
  response: Response,
): void {
  const client =
    identity.client === null ? undefined : snapshot.view.get('integration_client', identity.client)
  if (clientLimits === null || client === undefined) return
  const admitted = clientLimits.admit(client.key, client.body.rateLimit)
  for (const [name, value] of Object.entries(admitted.headers)) response.setHeader(name, value)
  if ('error' in admitted) throw admitted.error
  // An open stream takes no part in the concurrency.
  if (media === 'text/event-stream') admitted.release()
  else response.once('close', () => admitted.release())
}

/** Checks media type and size before the body is read. @throws AlmanacError */
async function bodyOf(
  request: Request,
  response: Response,
  route: Route,
  budget: Budget,
): Promise<Uint8Array[] | null> {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  if (route.body === undefined || !hasBody) return null
  const media = route.bodyMedia ?? 'application/json'
  const contentType = request.headers['content-type'] ?? ''
  if (!request.is(media))
    throw new AlmanacError(
      'request.media_type',
      `The media type of the body is ${contentType || 'missing'}. Send ${media}.`,
    )
  requireUtf8(contentType)
  return readBody(request, response, budget)
}

function serveRoute(services: Services, route: Route, positions: Positions): Serve {
  return async (request, response) => {
    // The template, for metrics: the path itself contains keys.
    response.locals['route'] = route.path
    const context = await admit(services, route, positions, { request, response })
    const budget = budgetOf(route, context?.access ?? null)
    const blocks = await bodyOf(request, response, route, budget)
    const call = {
      params: { ...request.params },
      query: { ...request.query },
      blocks,
      elements: budget.elements,
      correlationId: String(response.locals['correlationId']),
    }
    const result =
      context !== undefined && route.access === 'signed_in' && runsInLane(services, budget, blocks, context)
        ? await runInLane(services, route, { call, budget, context })
        : await handleRoute(services, route, call, { ...context, raw: { request, response } })
    if (context !== undefined)
      response.setHeader(
        positionHeader,
        positions.current(route.access === 'public' ? 'reads' : route.effect),
      )
    await sendReply(response, route.status ?? 200, result)
  }
}

function runsInLane(
  services: Services,
  budget: Budget,
  blocks: readonly Uint8Array[] | null,
  context: RequestContext,
): boolean {
  if (services.lanes === null || budget.lane === 'here' || isSmall(blocks, budget)) return false
  return !budget.inlineForSmallOrgs || isLargeOrg(services, context)
}

async function runInLane(
  services: Services,
  route: Route & { access: 'signed_in' },
  { call, budget, context }: { call: RouteCall; budget: Budget; context: RequestContext },
): Promise<Reply> {
  if (route.prepare !== undefined) await route.prepare({ ...context, ...parseInputs(route, call), services })
  const laneCall = { ...call, route: route.name, context: serializeContext(context) }
  const { recordPosition, uses, ...reply } = await services.lanes!.run(laneCall, budget, route.effect)
  services.records.observe(recordPosition)
  services.records.addUses(uses)
  return new Reply(reply)
}

function isSmall(blocks: readonly Uint8Array[] | null, { inlineUpToBytes }: Budget): boolean {
  const bytes = blocks?.reduce((sum, block) => sum + block.length, 0) ?? 0
  return inlineUpToBytes > 0 && bytes <= inlineUpToBytes
}

/** Handles all errors at a path with the error format of another standard, from body, method or handler. */
function foreignErrorHandler({ sendForeignError }: MountedPath): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (!sendForeignError(error, response)) next(error)
  }
}

function methodNotAllowedHandler({ path, routes }: MountedPath): RequestHandler {
  const methods = routes.map(({ method }) => method.toUpperCase() as Uppercase<Method> | 'HEAD' | 'OPTIONS')
  if (methods.includes('GET')) methods.push('HEAD')
  const allow = [...methods, 'OPTIONS'].sort().join(', ')
  return (request, response) => {
    response.locals['route'] = path
    response.setHeader('Allow', allow)
    if (request.method === 'OPTIONS') return void response.status(204).end()
    throw new AlmanacError(
      'protocol.method_not_allowed',
      `${request.method} is not allowed at ${request.path}. Use ${allow}.`,
    )
  }
}
