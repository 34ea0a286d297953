// A route as data: the router and the OpenAPI document are made from the same declaration, so neither can lie.
import type { Request, Response } from 'express'
import type { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { SystemPermission } from '#kernel/components/permission-set/body.ts'
import type { Budget } from './budget.ts'
import type { Asking } from './caller.ts'
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

/** A request of somebody known, pinned to the generation that was active when it came. */
export interface SignedInRequest<P, Q, B> extends PublicRequest<P, Q, B>, Asking {}

/** Of a request that is about to cross to a worker: the same, without a connection. */
export type PreparedRequest<P, Q, B> = Omit<SignedInRequest<P, Q, B>, 'raw' | 'correlationId'>

interface Parts<P, Q, B> {
  method: Method
  /** As OpenAPI writes it: `/metadata/v3/components/{type}/{key}`. */
  path: string
  /** Name of the operation, unique: `listComponents`. */
  name: string
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Media type of the body; JSON where left out. */
  bodyMedia?: 'application/json' | 'application/x-www-form-urlencoded'
  /** What a request may cost; what is omitted has its default. */
  budget?: Partial<Budget>
  /** Status of success; 200 where left out. */
  status?: 200 | 201 | 202 | 204 | 302
  /** Media type of the answer, or all that it may have; JSON where left out. */
  media?: string | readonly string[]
  /** JSON that is answered; left out where the answer is none or is text. */
  reply?: z.ZodType
  /** Codes of its own, beside those that every route may answer. */
  errors: readonly ErrorCode[]
}

export interface SignedInRoute<P = unknown, Q = unknown, B = unknown> extends Parts<P, Q, B> {
  /** Reading may be done as seen by another user (`X-View-As`), writing may not. */
  effect: 'reads' | 'writes'
  permission?: SystemPermission
  /** The caller must be an author, which is checked before the body is read. */
  author?: true
  /** A signed-in person alone may call it: a bearer token, of a user or a client, is refused. */
  person?: true
  /** Bodies above the default size are for authors; everybody else has the default budget. */
  largeFor?: 'authors'
  /** What the handler would wait for, or can only be reached here; done before the request takes a worker. */
  prepare?: (request: PreparedRequest<Input<P>, Input<Q>, Input<B>>) => Promise<unknown>
  handle(request: SignedInRequest<Input<P>, Input<Q>, Input<B>>): unknown
}

export interface Refusal {
  statuses: readonly number[]
  body: z.ZodType
}

export interface PublicRoute<P = unknown, Q = unknown, B = unknown> extends Parts<P, Q, B> {
  /** Answers an error in the form of another standard. */
  refuse?: (error: unknown, response: Response) => boolean
  /** That form, and the statuses that may have it. */
  refusal?: Refusal
  handle(request: PublicRequest<Input<P>, Input<Q>, Input<B>>): unknown
}

/** A declared route without the types of its inputs, as router and document read it. */
export type Route = Parts<z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined> &
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
        refuse?: PublicRoute['refuse']
        refusal?: Refusal
        handle(request: PublicRequest<unknown, unknown, unknown>): unknown
      }
  )

type Schema = z.ZodType | undefined

/** A route that asks who is asking. Checks the types of params, query and body against their schemas. */
export function defineRoute<P extends Schema, Q extends Schema, B extends Schema>(
  route: SignedInRoute<P, Q, B>,
): Route {
  return { ...route, access: 'signed_in' } as Route
}

/** A route that answers anybody. */
export function definePublicRoute<P extends Schema, Q extends Schema, B extends Schema>(
  route: PublicRoute<P, Q, B>,
): Route {
  return { ...route, access: 'public' } as Route
}
