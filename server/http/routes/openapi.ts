// The description of the whole surface, made from the declarations that also make the router (completions 5).
import { z } from 'zod'
import { openapiDocument } from '../openapi.ts'
import { definePublicRoute, type Route } from '../route.ts'

/** @param all every route of the app, this one with them */
export function openapiRoute(all: () => readonly Route[]): Route {
  let document: object | undefined
  return definePublicRoute({
    method: 'get',
    path: '/openapi.json',
    name: 'describeSurface',
    summary: 'This document',
    reply: z.looseObject({ openapi: z.literal('3.1.0') }),
    errors: [],
    handle: ({ services }) => (document ??= openapiDocument(all(), services.version)),
  })
}
