// The OpenAPI document, built from the same declarations as the router.
import { z } from 'zod'
import { openapiDocument } from '../openapi.ts'
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
