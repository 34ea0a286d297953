// The OpenAPI document, built from the same declarations as the router, with the objects that the caller can
// see and the operations that the caller can call.
import type { Request } from 'express'
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import { admitClient } from '../client-admission.ts'
import { openapiDocument } from '../openapi.ts'
import { withObjects, type Document } from '../openapi-objects.ts'
import { withOperations } from '../openapi-operations.ts'
import { withServices } from '../openapi-services.ts'
import { yieldToEventLoop } from '../../pipeline/index.ts'
import { jsonTextReply } from '../reply.ts'
import { createRequestContext, type RequestContext } from '../request-context.ts'
import { callerOf } from '../views/record-caller.ts'
import { linkCookie, personCookie } from '../session-cookie.ts'
import { definePublicRoute, type Route } from '../route.ts'
import type { Services } from '../services.ts'

/** @param all all routes of the app, including this one */
export function openapiRoute(all: () => readonly Route[]): Route {
  // Built once for each server; two servers in one process have different cookies.
  const documents = new WeakMap<Services, ReturnType<typeof openapiDocument>>()
  const texts = new KnownTexts()
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
      const text = await texts.of(context?.access ?? document, () => textOf(services, document, context))
      return jsonTextReply(text)
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

async function textOf(
  { records }: Services,
  document: object,
  context: RequestContext | null,
): Promise<string> {
  if (context === null) return JSON.stringify(document)
  const caller = callerOf(context)
  const objects = await Promise.all(records.list(caller).map(({ key }) => records.describe(caller, key)))
  // Each takes some milliseconds, and others wait for them.
  await yieldToEventLoop()
  const typed = withObjects(document as Document, objects)
  const called = withOperations(typed, records.operations(caller))
  await yieldToEventLoop()
  const whole = withServices(called, context.snapshot.view, context.access)
  await yieldToEventLoop()
  return JSON.stringify(whole)
}

/** Characters of the documents that are kept. */
const mostCharacters = 32 * 1024 * 1024

/** Documents as text: it takes longer to write one than everything else does. */
class KnownTexts {
  readonly #ids = new WeakMap<object, string>()
  readonly #texts = new RecentCache<string>(mostCharacters)
  #nextId = 1

  /** @param basis from which the document follows */
  async of(basis: object, write: () => Promise<string>): Promise<string> {
    let id = this.#ids.get(basis)
    if (id === undefined) this.#ids.set(basis, (id = String(this.#nextId++)))
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const text = await write()
    this.#texts.put(id, text, text.length)
    return text
  }
}
