// The description of the whole surface, made from the declarations that also make the router (completions 5).
import { z } from 'zod'
import { openapiDocument } from '../openapi.ts'
import { personCookieName } from '../person-cookie.ts'
import { sessionCookieName } from '../session.ts'
import { definePublicRoute, type Route } from '../route.ts'
import type { Services } from '../services.ts'

/** @param all every route of the app, this one with them */
export function openapiRoute(all: () => readonly Route[]): Route {
  // Made once for a server; two servers of one process have cookies of their own.
  const documents = new WeakMap<Services, Promise<object>>()
  return definePublicRoute({
    method: 'get',
    path: '/openapi.json',
    name: 'describeSurface',
    summary: 'This document',
    reply: z.looseObject({ openapi: z.literal('3.1.0') }),
    errors: [],
    handle: ({ services }) => {
      const known = documents.get(services)
      if (known !== undefined) return known
      const { version, session, site } = services
      const document = openapiDocument(all(), version, {
        session: session === null ? null : sessionCookieName(site),
        person: personCookieName(site),
      })
      documents.set(services, document)
      document.catch(() => documents.delete(services))
      return document
    },
  })
}
