// The OpenAPI document, built from the same declarations as the router, with the objects that the caller can
// see and the operations that the caller can call.
import type { Request } from 'express'
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CallerOf } from '../../records/index.ts'
import { openapiDocument } from '../openapi.ts'
import { withObjects, type Document } from '../openapi-objects.ts'
import { withOperations } from '../openapi-operations.ts'
import { createRequestContext } from '../request-context.ts'
import { callerOf } from '../views/record-caller.ts'
import { linkCookie, personCookie } from '../session-cookie.ts'
import { definePublicRoute, type Route } from '../route.ts'
import type { Services } from '../services.ts'

/** @param all all routes of the app, including this one */
export function openapiRoute(all: () => readonly Route[]): Route {
  // Built once for each server; two servers in one process have different cookies.
  const documents = new WeakMap<Services, ReturnType<typeof openapiDocument>>()
  return definePublicRoute({
    method: 'get',
    path: '/openapi.json',
    name: 'describeSurface',
    summary: 'Get this document',
    reply: z.looseObject({ openapi: z.literal('3.1.0') }),
    errors: ['auth.invalid'],
    handle: async ({ services, raw: { request, response } }) => {
      const document = await genericDocument(services)
      const caller = callerFor(services, request, String(response.locals['correlationId']))
      if (caller === null) return document
      const { records } = services
      const objects = await Promise.all(records.list(caller).map(({ key }) => records.describe(caller, key)))
      const typed = withObjects(document as unknown as Document, objects)
      return withOperations(typed, records.operations(caller)) as unknown as typeof document
    },
  })
  function genericDocument(services: Services): ReturnType<typeof openapiDocument> {
    const known = documents.get(services)
    if (known !== undefined) return known
    const { version, link, site } = services
    const document = openapiDocument(all(), version, {
      session: link === null ? null : linkCookie.name(site),
      person: personCookie.name(site),
    })
    documents.set(services, document)
    document.catch(() => documents.delete(services))
    return document
  }
}

const guarded = { method: 'get', path: '/openapi.json', effect: 'reads' } as const

/** The caller whose objects and operations the document also describes; null without credentials, or with a session that has ended. */
function callerFor(services: Services, request: Request, correlationId: string): CallerOf | null {
  const { authorization, cookie } = request.headers
  if (authorization === undefined && cookie === undefined) return null
  try {
    return callerOf(createRequestContext(services, request, guarded, correlationId))
  } catch (error) {
    const isEnded = error instanceof AlmanacError && error.kind.class === 'authentication'
    if (authorization === undefined && isEnded) return null
    throw error
  }
}
