// Builds the Express router from the declarations.
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createRouteHandler, type RouteHandler } from './route-handler.ts'
import { createPositions } from './position.ts'
import type { Method, Route } from './route.ts'
import type { Services } from './services.ts'

/** @param routes all routes; two with the same method and path are a mistake */
export function mountRoutes(services: Services, routes: readonly Route[]): Router {
  // Strict, so that an empty parameter at the end of a path is not a request of the list above it.
  const router = Router({ caseSensitive: true, strict: true })
  const positions = createPositions(services)
  for (const [path, siblings] of routesByPath(routes)) {
    const at = router.route(expressPath(path))
    for (const route of siblings)
      at[route.method](expressHandler(createRouteHandler(services, route, positions)))
    at.all(labelRoute(path), methodNotAllowedHandler(siblings))
    at.all(foreignErrorHandler(siblings))
  }
  return router
}

/** The routes of each path, in the order in which paths are compared with that of a request. */
export function routesByPath(routes: readonly Route[]): [path: string, routes: Route[]][] {
  return [...Map.groupBy(routes, ({ path }) => path)].sort(([a], [b]) => bySpecificity(a, b))
}

function expressHandler(handle: RouteHandler): RequestHandler {
  return (request, response, next) => {
    handle(request, response).catch(next)
  }
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

/** Stores the template of the path for metrics; the path itself contains keys. */
function labelRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    response.locals['route'] = path
    next()
  }
}

/** Handles all errors at a path with the error format of another standard, from body, method or handler. */
function foreignErrorHandler(siblings: readonly Route[]): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const refused = siblings.some((route) => route.sendForeignError?.(error, response))
    if (!refused) next(error)
  }
}

function methodNotAllowedHandler(siblings: readonly Route[]): RequestHandler {
  const methods = siblings.map(({ method }) => method.toUpperCase() as Uppercase<Method> | 'HEAD' | 'OPTIONS')
  if (methods.includes('GET')) methods.push('HEAD')
  const allow = [...methods, 'OPTIONS'].sort().join(', ')
  return (request, response) => {
    response.setHeader('Allow', allow)
    if (request.method === 'OPTIONS') return void response.status(204).end()
    throw new AlmanacError(
      'protocol.method_not_allowed',
      `${request.method} is not allowed at ${request.path}. Use ${allow}.`,
    )
  }
}
