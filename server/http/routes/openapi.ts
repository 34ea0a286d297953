// The OpenAPI document, built from the same declarations as the router, with the objects that the caller can
// see and the operations that the caller can call.
import type { Request } from 'express'
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { admitClient } from '../client-admission.ts'
import { openapiDocument } from '../openapi.ts'
import { addObjects, type Document } from '../openapi-objects.ts'
import { addOperations } from '../openapi-operations.ts'
import { addServices } from '../openapi-services.ts'
import { DocumentTexts } from '../openapi-texts.ts'
import { createYielder, runInChunks } from '../../pipeline/index.ts'
import { jsonPiecesReply } from '../reply.ts'
import { createRequestContext, type RequestContext } from '../request-context.ts'
import { callerOf } from '../views/record-caller.ts'
import { linkCookie, personCookie } from '../session-cookie.ts'
import { definePublicRoute, type Route } from '../route.ts'
import type { Services } from '../services.ts'

/** @param all all routes of the app, including this one */
export function openapiRoute(all: () => readonly Route[]): Route {
  // Built once for each server; two servers in one process have different cookies.
  const documents = new WeakMap<Services, ReturnType<typeof openapiDocument>>()
  const texts = new DocumentTexts()
  return definePublicRoute({
    method: 'get',
    path: '/openapi.json',
    name: 'describeSurface',
    summary: 'Get this document',
    reply: z.looseObject({ openapi: z.literal('3.1.0') }),
    errors: ['auth.invalid', 'auth.throttled', 'limit.rate', 'limit.concurrency'],
    handle: async ({ services, raw: { request, response } }) => {
      // Applies of another process are seen now and not only at the next check.
      await services.org.refresh()
      const context = callerFor(services, request, String(response.locals['correlationId']))
      if (context !== null) admitClient(services, {}, context, response)
      const document = await genericDocument(services)
      // The rights of a caller are the same object until anything is written to the org.
      const basis = context?.access ?? document
      return jsonPiecesReply(await texts.of(basis, () => documentOf(services, document, context)))
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
function callerFor(services: Services, request: Request, correlationId: string): RequestContext | null {
  const { authorization, cookie, 'x-api-key': apiKey } = request.headers
  const isClient = authorization !== undefined || apiKey !== undefined
  if (!isClient && cookie === undefined) return null
  try {
    return createRequestContext(services, request, guarded, correlationId)
  } catch (error) {
    const isEnded = error instanceof AlmanacError && error.kind.class === 'authentication'
    if (!isClient && isEnded) return null
    throw error
  }
}

async function documentOf(
  { records }: Services,
  generic: object,
  context: RequestContext | null,
): Promise<object> {
  if (context === null) return generic
  const caller = callerOf(context)
  const breathe = createYielder()
  const objects = []
  for (const { key } of records.list(caller)) {
    objects.push(await records.describe(caller, key))
    await breathe()
  }
  const { paths, components, ...rest } = generic as Document
  const schemas = { ...components.schemas }
  const document: Document = { ...rest, paths: { ...paths }, components: { ...components, schemas } }
  await runInChunks(addObjects(document, objects))
  await runInChunks(addOperations(document, records.operations(caller)))
  await runInChunks(addServices(document, context.snapshot.view, context.access))
  return document
}
