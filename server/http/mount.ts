// Express's router from the declarations: body, inputs, who asks, the handler, the answer (completions 5).
import { isUtf8 } from 'node:buffer'
import {
  Router,
  json,
  urlencoded,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import type { z } from 'zod'
import { flawWords, scanJson } from '#kernel/components/scan-json.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { askingOf, type Asking } from './caller.ts'
import { readInput } from './request-issues.ts'
import { Reply, sendReply } from './reply.ts'
import type { Method, Route } from './route.ts'
import type { Services } from './services.ts'

/** @param routes every route; two with one method and path are a mistake */
export function mountRoutes(services: Services, routes: readonly Route[]): Router {
  const router = Router()
  const byPath = Map.groupBy(routes, ({ path }) => path)
  for (const [path, siblings] of byPath) {
    const at = router.route(expressPath(path))
    for (const route of siblings)
      at[route.method](label(path), ...admission(services, route), bodyReader(route), answer(services, route))
    at.all(label(path), otherMethod(siblings))
  }
  return router
}

/** `/a/{key}` as Express writes it. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** The template of the path, for metrics: never the path itself, which holds keys. */
function label(path: string): RequestHandler {
  return (_request, response, next) => {
    response.locals['route'] = path
    next()
  }
}

/** Who asks is settled before a byte of the body is read. */
function admission(services: Services, route: Route): RequestHandler[] {
  if (route.access === 'public') return []
  return [
    async (request, response, next) => {
      // What a command line applied beside us counts from now on, not from the next look.
      await services.org.refresh()
      response.locals['asking'] = askingOf(services, request, route, String(response.locals['correlationId']))
      next()
    },
  ]
}

const mebibyte = 1024 * 1024

function bodyReader(route: Route): RequestHandler {
  if (route.body === undefined) return (_request, _response, next) => next()
  const media = route.bodyMedia ?? 'application/json'
  const limit = route.bodyLimit ?? mebibyte
  const read =
    media === 'application/json'
      ? json({ limit, strict: true, verify: demandPlainJson })
      : urlencoded({ limit, extended: false })
  return (request, response, next) => {
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
    if (hasBody && !request.is(media)) {
      const given = request.headers['content-type'] ?? 'no media type'
      throw new AlmanacError('request.media_type', `The body is ${given}; send ${media}.`)
    }
    read(request, response, next)
  }
}

/**
 * JSON.parse would take the last of two values, and lose digits, in silence; and a value nested without end could not
 * cross to the worker.
 */
function demandPlainJson(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  // JSON between systems is UTF-8 (RFC 8259, 8.1); letters that are not would be replaced in silence.
  if (encoding !== 'utf-8')
    throw new AlmanacError('request.media_type', `The body is written in ${encoding}; send it in UTF-8.`)
  if (!isUtf8(body))
    throw new AlmanacError(
      'request.malformed',
      'The body is not written in UTF-8. Save it as UTF-8, and send it again.',
    )
  const [flaw] = scanJson(body.toString('utf8'))
  if (flaw === undefined) return
  const message = `${flaw.path} of the body: ${flawWords(flaw, null)}`
  throw new AlmanacError('request.malformed', message, {
    details: [{ in: 'body', path: flaw.path, message }],
  })
}

function answer(services: Services, route: Route): RequestHandler {
  const respond = async (request: Request, response: Response): Promise<void> => {
    const input = <S extends z.ZodType | undefined>(schema: S, value: unknown, part: string) =>
      schema === undefined ? undefined : readInput(schema, value, part)
    const result = await route.handle({
      params: input(route.params, { ...request.params }, 'path'),
      query: input(route.query, { ...request.query }, 'query'),
      body: input(route.body, request.body as unknown, 'body'),
      services,
      correlationId: String(response.locals['correlationId']),
      raw: { request, response },
      ...(response.locals['asking'] as Asking),
    })
    if (services.checkReplies && route.reply !== undefined && !(result instanceof Reply))
      checkReply(route, result)
    await sendReply(response, route.status ?? 200, result)
  }
  return (request, response, next: NextFunction) => {
    respond(request, response).catch((error: unknown) => {
      const refused = route.access === 'public' && route.refuse?.(error, response)
      if (refused !== true) next(error)
    })
  }
}

/** In tests: an answer that is not what the document says is a failure. */
function checkReply(route: Route, result: unknown): void {
  const parsed = route.reply!.safeParse(JSON.parse(JSON.stringify(result)))
  if (!parsed.success)
    throw new Error(`${route.name} answers what it does not declare: ${JSON.stringify(parsed.error.issues)}`)
}

function otherMethod(siblings: readonly Route[]): RequestHandler {
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
