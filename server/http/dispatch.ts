// Finds the route of a plain request without the router of Express, which tries one route after another. Everything else,
// such as an unknown path or an escaped character in it, goes to Express.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'
import type { MountedPath, Serve } from './mount.ts'

export interface DispatchParts {
  /** What every request passes first; each step calls the next one at once, or throws. */
  steps: readonly RequestHandler[]
  /** In the order in which they are tried. */
  paths: readonly MountedPath[]
  /** Responds to an error. */
  refuse: ErrorRequestHandler
}

/** @returns a listener that passes on to the app what it does not dispatch */
export function dispatcher(app: Express, { steps, paths, refuse }: DispatchParts): RequestListener {
  const find = routeFinder(paths)
  const pass = app as unknown as RequestListener
  return (incoming, outgoing) => {
    const found = find(incoming.method ?? '', incoming.url ?? '')
    if (found === null) return pass(incoming, outgoing)
    const { request, response } = asExpress(app, incoming, outgoing, found.params)
    const fail = (error: unknown): void => {
      if (!found.mounted.sendForeignError(error, response))
        void refuse(error, request, response, () => undefined)
    }
    try {
      for (const step of steps) void step(request, response, passOn)
    } catch (error) {
      void refuse(error, request, response, () => undefined)
      return
    }
    found.serve(request, response).catch(fail)
  }
}

const passOn = (error?: unknown): void => {
  if (error !== undefined) throw error as Error
}

/** Makes a request and its response what handlers expect, as the app of Express does. */
function asExpress(
  app: Express,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  params: Record<string, string>,
): { request: Request; response: Response } {
  const request = Object.setPrototypeOf(incoming, app.request) as Request
  const response = Object.setPrototypeOf(outgoing, app.response) as Response
  request.res = response
  response.req = request
  response.locals = Object.create(null) as Response['locals']
  request.originalUrl = request.url
  request.baseUrl = ''
  request.params = params
  return { request, response }
}

interface Found {
  mounted: MountedPath
  serve: Serve
  params: Record<string, string>
}

/** Path segments without escapes, and a query. */
const plainUrl = /^((?:\/[\w.~-]+)+)(?:\?|$)/

interface Pattern {
  mounted: MountedPath
  segments: readonly { name: string; isParameter: boolean }[]
  serve: ReadonlyMap<string, Serve>
}

function routeFinder(paths: readonly MountedPath[]): (method: string, url: string) => Found | null {
  const byLength = Map.groupBy(paths.map(patternOf), ({ segments }) => segments.length)
  return (method, url) => {
    const path = plainUrl.exec(url)?.[1]
    if (path === undefined) return null
    const segments = path.slice(1).split('/')
    for (const { mounted, serve, ...pattern } of byLength.get(segments.length) ?? []) {
      const params = paramsOf(pattern.segments, segments)
      if (params === null) continue
      const found = serve.get(method)
      return found === undefined ? null : { mounted, serve: found, params }
    }
    return null
  }
}

function patternOf(mounted: MountedPath): Pattern {
  const segments = mounted.path
    .slice(1)
    .split('/')
    .map((segment) => {
      const isParameter = segment.startsWith('{')
      return { name: isParameter ? segment.slice(1, -1) : segment, isParameter }
    })
  const serve = new Map(mounted.routes.map((route) => [route.method.toUpperCase(), route.serve]))
  return { mounted, segments, serve }
}

/** Null if the segments do not fit. */
function paramsOf(pattern: Pattern['segments'], segments: readonly string[]): Record<string, string> | null {
  const params = Object.create(null) as Record<string, string>
  for (const [index, { name, isParameter }] of pattern.entries()) {
    const segment = segments[index]!
    if (isParameter) params[name] = segment
    else if (segment !== name) return null
  }
  return params
}
