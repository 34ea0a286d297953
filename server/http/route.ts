// A route as data: the router and the OpenAPI document are built from the same declaration, so they cannot differ.
import type { Request, Response } from 'express'
import type { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'
import type { Budget } from './budget.ts'
import type { BodyStream } from './read-body.ts'
import type { MediaBody, Reply } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import type { Services } from './services.ts'

type Schema = z.ZodType | undefined
type Media = string | readonly string[]

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type Input<S> = S extends z.ZodType ? z.output<S> : undefined

/** JSON of a declared type: read-only, and with further properties where the schema lets them pass. */
type JsonOf<T> = unknown extends T
  ? unknown
  : T extends readonly (infer I)[]
    ? readonly JsonOf<I>[]
    : T extends object
      ? keyof Named<T> extends never
        ? { readonly [K in keyof T]: JsonOf<T[K]> }
        : { readonly [K in keyof Named<T>]: JsonOf<Named<T>[K]> }
      : T

/** The named properties of a type, without its index signature. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] }

/** What a handler returns: the JSON of `reply`, text or a file of `media` or `negotiated`, otherwise nothing. */
type Returned<R, M> =
  | (R extends z.ZodType ? JsonOf<z.input<R>> | Reply<JsonOf<z.input<R>>> : M extends Media ? never : void)
  | (M extends Media ? Reply<MediaBody> : never)
  | Reply<never>
type Handled<R, M> = Returned<R, M> | Promise<Returned<R, M>>

export interface PublicRequest<P, Q, B> {
  params: P
  query: Q
  body: B
  services: Services
  correlationId: string
  /** The raw request and response, for headers and streams. `openBody`: of a route with `bodyStream`. */
  raw: { request: Request; response: Response; openBody?: () => BodyStream }
}

/** A request of a known caller, pinned to the generation that was active when it arrived. */
export interface SignedInRequest<P, Q, B> extends PublicRequest<P, Q, B>, RequestContext {}

/** A request that is about to cross to a worker: the same, without a connection. */
export type PreparedRequest<P, Q, B> = Omit<SignedInRequest<P, Q, B>, 'raw' | 'correlationId'>

export type DeclaredHeader =
  'If-Match' | 'If-Match!' | 'If-None-Match' | 'Idempotency-Key' | 'Content-Digest' | 'Last-Event-ID'

export interface ForeignErrorFormat {
  statuses: readonly number[]
  body: z.ZodType
}

interface RouteFields<P, Q, B, R, M> {
  method: Method
  /** In OpenAPI notation: `/metadata/v3/components/{type}/{key}`. */
  path: string
  /** Unique name of the operation: `listComponents`. */
  name: string
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Members of its body that contain secrets: no error repeats a value of them. */
  secrets?: readonly string[]
  /** Media type of the body; default JSON. */
  bodyMedia?: 'application/json' | 'application/x-www-form-urlencoded'
  /** Media types of a body that the handler reads itself while it arrives, up to the bytes of its budget. */
  bodyStream?: readonly string[]
  /** Request headers beside those of all routes; `If-Match!` is required. */
  requestHeaders?: readonly DeclaredHeader[]
  /** Whether a response of success has the header ETag. */
  etag?: true
  /**
   * Whether it reads nothing of the org but what its caller follows from: its response then reflects the position of the
   * org at which the caller was identified.
   */
  readsRecordsOnly?: true
  /** The budget of a request; omitted properties have their defaults. */
  budget?: Partial<Budget>
  /** Status of success; default 200. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Media types of the response; default JSON. */
  media?: M
  /** Media types that a client can request with `Accept` instead. */
  negotiated?: M
  /** Schema of the JSON response, whole or in pieces; omitted for text, files and an empty response. */
  reply?: R
  /** Its own error codes, in addition to those that all routes can return. */
  errors: readonly ErrorCode[]
  /** Responds to an error in the format of another standard. */
  sendForeignError?: (error: unknown, response: Response) => boolean
  /** That format, and the statuses that can have it. */
  foreignErrorFormat?: ForeignErrorFormat
}

interface SignedInRoute<P, Q, B, R, M> extends RouteFields<P, Q, B, R, M> {
  /** Whether it can be called with `X-View-As`: reads can, writes cannot. */
  effect: 'reads' | 'writes'
  permission?: SystemPermission
  /** Whether the caller must be an author; checked before the body is read. */
  author?: true
  /** Whether only a signed-in person can call it: bearer tokens of users and clients are refused. */
  person?: true
  /** Bodies above the default size are only for authors; other users have the default budget. */
  largeFor?: 'authors'
  /** Whether a request waits for a network and computes little, so that it takes no worker: it is handled on the main thread. */
  waits?: (request: PreparedRequest<Input<P>, Input<Q>, Input<B>>) => boolean
  /** Prepares what the handler would wait for, or what a worker cannot reach, before the request takes a worker. */
  prepare?: (request: PreparedRequest<Input<P>, Input<Q>, Input<B>>) => Promise<unknown>
  handle(request: SignedInRequest<Input<P>, Input<Q>, Input<B>>): Handled<NoInfer<R>, NoInfer<M>>
}

interface PublicRoute<P, Q, B, R, M> extends RouteFields<P, Q, B, R, M> {
  handle(request: PublicRequest<Input<P>, Input<Q>, Input<B>>): Handled<NoInfer<R>, NoInfer<M>>
}

/** A declared route without the types of its inputs, as the router and the document use it. */
export type Route = RouteFields<Schema, Schema, Schema, Schema, Media | undefined> &
  (
    | {
        access: 'signed_in'
        effect: 'reads' | 'writes'
        permission?: SystemPermission
        author?: true
        person?: true
        largeFor?: 'authors'
        waits?: (request: PreparedRequest<unknown, unknown, unknown>) => boolean
        prepare?: (request: PreparedRequest<unknown, unknown, unknown>) => Promise<unknown>
        handle(request: SignedInRequest<unknown, unknown, unknown>): unknown
      }
    | {
        access: 'public'
        handle(request: PublicRequest<unknown, unknown, unknown>): unknown
      }
  )

/** Declares a route that requires a caller. Checks the types of params, query, body and reply against their schemas. */
export function defineRoute<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema = undefined,
  M extends Media | undefined = undefined,
>(route: SignedInRoute<P, Q, B, R, M>): Route {
  return { ...route, access: 'signed_in' } as Route
}

/** Declares a route without authentication. */
export function definePublicRoute<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema = undefined,
  M extends Media | undefined = undefined,
>(route: PublicRoute<P, Q, B, R, M>): Route {
  return { ...route, access: 'public' } as Route
}
