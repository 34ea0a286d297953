// A route as data: the router and the OpenAPI document are built from the same declaration, so they cannot differ.
import type { Request, Response } from 'express'
import type { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { SystemPermission } from '#kernel/components/permission-set/body.ts'
import type { Budget } from './budget.ts'
import type { RequestContext } from './request-context.ts'
import type { Services } from './services.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

type Input<S> = S extends z.ZodType ? z.output<S> : undefined

export interface PublicRequest<P, Q, B> {
  params: P
  query: Q
  body: B
  services: Services
  correlationId: string
  /** The raw request and response, for headers and streams. */
  raw: { request: Request; response: Response }
}

/** A request of a known caller, pinned to the generation that was active when it arrived. */
export interface SignedInRequest<P, Q, B> extends PublicRequest<P, Q, B>, RequestContext {}

/** A request that is about to cross to a worker: the same, without a connection. */
export type PreparedRequest<P, Q, B> = Omit<SignedInRequest<P, Q, B>, 'raw' | 'correlationId'>

interface RouteFields<P, Q, B> {
  method: Method
  /** In OpenAPI notation: `/metadata/v3/components/{type}/{key}`. */
  path: string
  /** Unique name of the operation: `listComponents`. */
  name: string
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Media type of the body; default JSON. */
  bodyMedia?: 'application/json' | 'application/x-www-form-urlencoded'
  /** The budget of a request; omitted properties have their defaults. */
  budget?: Partial<Budget>
  /** Status of success; default 200. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Media types of the response; default JSON. */
  media?: string | readonly string[]
  /** Schema of the JSON response; omitted for text and for an empty response. */
  reply?: z.ZodType
  /** Its own error codes, in addition to those that all routes can return. */
  errors: readonly ErrorCode[]
}

export interface SignedInRoute<P = unknown, Q = unknown, B = unknown> extends RouteFields<P, Q, B> {
  /** Whether it can be called with `X-View-As`: reads can, writes cannot. */
  effect: 'reads' | 'writes'
  permission?: SystemPermission
  /** Whether the caller must be an author; checked before the body is read. */
  author?: true
  /** Whether only a signed-in person can call it: bearer tokens of users and clients are refused. */
  person?: true
  /** Bodies above the default size are only for authors; other users have the default budget. */
  largeFor?: 'authors'
  /** Prepares what the handler would wait for, or what a worker cannot reach, before the request takes a worker. */
  prepare?: (request: PreparedRequest<Input<P>, Input<Q>, Input<B>>) => Promise<unknown>
  handle(request: SignedInRequest<Input<P>, Input<Q>, Input<B>>): unknown
}

export interface ForeignErrorFormat {
  statuses: readonly number[]
  body: z.ZodType
}

export interface PublicRoute<P = unknown, Q = unknown, B = unknown> extends RouteFields<P, Q, B> {
  /** Responds to an error in the format of a different standard. */
  sendForeignError?: (error: unknown, response: Response) => boolean
  /** That format, and the statuses that can have it. */
  foreignErrorFormat?: ForeignErrorFormat
  handle(request: PublicRequest<Input<P>, Input<Q>, Input<B>>): unknown
}

/** A declared route without the types of its inputs, as the router and the document use it. */
export type Route = RouteFields<z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined> &
  (
    | {
        access: 'signed_in'
        effect: 'reads' | 'writes'
        permission?: SystemPermission
        author?: true
        person?: true
        largeFor?: 'authors'
        prepare?: (request: PreparedRequest<unknown, unknown, unknown>) => Promise<unknown>
        handle(request: SignedInRequest<unknown, unknown, unknown>): unknown
      }
    | {
        access: 'public'
        sendForeignError?: PublicRoute['sendForeignError']
        foreignErrorFormat?: ForeignErrorFormat
        handle(request: PublicRequest<unknown, unknown, unknown>): unknown
      }
  )

type Schema = z.ZodType | undefined

/** Declares a route that requires a caller. Checks the types of params, query and body against their schemas. */
export function defineRoute<P extends Schema, Q extends Schema, B extends Schema>(
  route: SignedInRoute<P, Q, B>,
): Route {
  return { ...route, access: 'signed_in' } as Route
}

/** Declares a route without authentication. */
export function definePublicRoute<P extends Schema, Q extends Schema, B extends Schema>(
  route: PublicRoute<P, Q, B>,
): Route {
  return { ...route, access: 'public' } as Route
}
