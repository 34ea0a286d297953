// The description of the whole surface, made from the declarations that also make the router (completions 5).
import { z } from 'zod'
import { openapiDocument } from '../openapi.ts'
import { linkCookie, personCookie } from '../session-cookie.ts'
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
    summary: 'Get this document',
    reply: z.looseObject({ openapi: z.literal('3.1.0') }),
    errors: [],
    handle: ({ services }) => {
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
    },
  })
}
