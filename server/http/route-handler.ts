// Handles a request of a route, from its caller to its response, as the route declares it.
import type { Request, Response } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { yieldToEventLoop } from '../pipeline/index.ts'
import { budgetsOf, type Budget } from './budget.ts'
import { admitClient } from './client-admission.ts'
import { createRequestContext, serializeContext, type RequestContext } from './request-context.ts'
import { handleRoute, parseInputs } from './handle-route.ts'
import type { RouteCall } from './lanes.ts'
import { hasLargeServiceDraft, isLargeOrg } from './org-size.ts'
import { positionHeader, type Positions } from './position.ts'
import { requireUtf8 } from './parse-body.ts'
import { readBody, refuseRest, streamBody, type BodyStream } from './read-body.ts'
import { Reply, sendReply } from './reply.ts'
import type { Route } from './route.ts'
import type { Services } from './services.ts'

/** Rejects with the error of a request that is refused. */
export type RouteHandler = (request: Request, response: Response) => Promise<void>

interface Exchange {
  request: Request
  response: Response
}

/** Waits only for what takes time: a read of a record is answered in the turn in which its request arrived. */
export function createRouteHandler(services: Services, route: Route, positions: Positions): RouteHandler {
  const budgetOf = budgetsOf(route)
  return async (request, response) => {
    const exchange = { request, response }
    // For metrics and the log; the path itself contains keys.
    response.locals['route'] = route.path
    let admitted: Admitted | null = null
    if (route.access !== 'public') {
      // Applies of another process, such as the command line, are seen now and not only at the next check.
      const refreshed = services.moments.refresh()
      const position = typeof refreshed === 'number' ? refreshed : await refreshed
      admitted = identify(services, route, exchange, position)
      const reached = positions.require(request.get(positionHeader))
      if (reached !== undefined) await reached
      response.setHeader(positionHeader, positions.current(position))
      admitClient(services, route, admitted.context, response)
      // An activation can have come in between.
      if (typeof refreshed !== 'number') admitted.position = null
    }
    const context = admitted?.context
    const budget = budgetOf(context?.access ?? null)
    const blocks = hasBody(route, request) ? await readRouteBody(exchange, route, budget) : null
    const call = {
      params: { ...request.params },
      query: request.url.includes('?') ? { ...request.query } : {},
      blocks,
      elements: budget.elements,
      correlationId: correlationOf(response),
    }
    const handled =
      context !== undefined &&
      route.access === 'signed_in' &&
      runsInLane(services, budget, blocks, context) &&
      route.waits?.({ ...context, ...parseInputs(route, call), services }) !== true
        ? runInLane(services, route, { call, budget, context })
        : handleRoute(services, route, call, { ...context, raw: rawOf(exchange, route, budget) })
    const result = handled instanceof Promise ? await settled(handled, route, exchange) : handled
    if (admitted !== null) response.setHeader(positionHeader, positions.current(endPosition(route, admitted)))
    const sent = sendReply(response, route.status ?? 200, result)
    if (sent !== undefined) await sent
  }
}

const correlationOf = ({ locals }: Response): string => String(locals['correlationId'])

interface Admitted {
  context: RequestContext
  /** Of the org, in the state that the request is pinned to; null if it is not known exactly. */
  position: number | null
}

/** Identifies the caller before a byte of the body is read. */
function identify(
  services: Services,
  route: Route & { access: 'signed_in' },
  { request, response }: Exchange,
  position: number,
): Admitted {
  const context = createRequestContext(services, request, route, correlationOf(response), position)
  return { context, position }
}

/** The position that a response reflects, if it is not the current one. */
function endPosition(route: Route, { position }: Admitted): number | undefined {
  return route.readsRecordsOnly === true && position !== null ? position : undefined
}

/** A handler that reads the body itself can fail before it has read all of it. */
function settled(handled: Promise<unknown>, { bodyStream }: Route, exchange: Exchange): Promise<unknown> {
  if (bodyStream === undefined) return handled
  return handled.catch((error: unknown) => {
    refuseRest(exchange.request, exchange.response)
    throw error
  })
}

type Raw = Exchange & { openBody?: () => BodyStream }

function rawOf(exchange: Exchange, { bodyStream }: Route, budget: Budget): Raw {
  if (bodyStream === undefined) return exchange
  return {
    ...exchange,
    openBody: () => {
      requireMedia(exchange.request, bodyStream)
      return streamBody(exchange.request, budget)
    },
  }
}

function hasBody({ body }: Route, { headers }: Request): boolean {
  if (body === undefined) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Checks media type and size before the body is read. @throws AlmanacError */
async function readRouteBody(
  { request, response }: Exchange,
  route: Route,
  budget: Budget,
): Promise<Uint8Array[]> {
  requireMedia(request, [route.bodyMedia ?? 'application/json'])
  return readBody(request, response, budget)
}

/** @throws AlmanacError `request.media_type` */
function requireMedia(request: Request, media: readonly string[]): void {
  const contentType = request.headers['content-type'] ?? ''
  if (!request.is([...media]))
    throw new AlmanacError(
      'request.media_type',
      `The media type of the body is ${contentType || 'missing'}. Send ${media.join(' or ')}.`,
    )
  requireUtf8(contentType)
}

function runsInLane(
  services: Services,
  budget: Budget,
  blocks: readonly Uint8Array[] | null,
  context: RequestContext,
): boolean {
  if (services.lanes === null || budget.lane === 'here') return false
  if (isSmall(blocks, budget)) return budget.readsServiceDrafts && hasLargeServiceDraft(services)
  return !budget.inlineForSmallOrgs || isLargeOrg(services, context)
}

async function runInLane(
  services: Services,
  route: Route & { access: 'signed_in' },
  { call, budget, context }: { call: RouteCall; budget: Budget; context: RequestContext },
): Promise<Reply> {
  // What led here and what follows each takes some milliseconds in a large org.
  await yieldToEventLoop()
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
