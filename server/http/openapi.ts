// Builds the OpenAPI 3.1 document from the route declarations and the rooms.
import { z } from 'zod'
import { componentTypes } from '#kernel/components/component.ts'
import { envelopeJsonSchema } from '#kernel/components/json-schema.ts'
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { responseHeaders, headers, headersOf, parameters } from './openapi-headers.ts'
import { securitySchemes, type CookieNames } from './openapi-security.ts'
import { createYielder, yieldToEventLoop } from '../pipeline/index.ts'
import type { Route } from './route.ts'
import { problem } from './schemas/common.ts'

type Json = Record<string, unknown>

/** Error codes that any route can return; the second list is for routes that require a caller. */
const commonErrors: readonly ErrorCode[] = ['internal.error', 'auth.forbidden_origin']
const signedInErrors: readonly ErrorCode[] = [
  'auth.required',
  'auth.invalid',
  'auth.throttled',
  'access.denied',
  'limit.rate',
  'limit.concurrency',
  'limit.busy',
  'storage.behind',
  'server.not_ready',
]

/** Of routes that write to the org. */
const writingErrors: readonly ErrorCode[] = ['org.busy']

/** Builds the document in steps, with other work in between. @param version the version of the product */
export async function openapiDocument(
  routes: readonly Route[],
  version: string,
  cookies: CookieNames,
): Promise<Json & { openapi: '3.1.0' }> {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  jsonSchema(problem, 'output', schemas)
  const personSchemes = Object.keys(securitySchemes(cookies)).filter(
    (name) => name !== 'bearer' && name !== 'apiKey',
  )
  const breathe = createYielder()
  for (const route of routes) {
    ;(paths[route.path] ??= {})[route.method] = operation(route, schemas, personSchemes)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  for await (const [name, schema] of componentSchemas()) schemas[name] = schema
  return {
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version,
      description:
        'Configuration that must be right on every date: components, their generations, and the values they resolve to.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    // Any one of them is sufficient.
    security: Object.keys(securitySchemes(cookies)).map((name) => ({ [name]: [] })),
    paths,
    components: {
      schemas,
      parameters,
      headers,
      securitySchemes: {
        ...securitySchemes(cookies),
        client: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth2/token', scopes: {} } } },
      },
    },
  }
}

function operation(route: Route, schemas: Json, personSchemes: readonly string[]): Json {
  const definition: Json = {
    operationId: route.name,
    summary: route.summary,
    tags: [tagOf(route.path)],
    parameters: [
      ...inputs('path', route.params, schemas),
      ...inputs('query', route.query, schemas),
      ...headersOf(route),
    ],
    responses: { ...success(route, schemas), ...failures(route, schemas) },
  }
  if (route.body !== undefined)
    definition['requestBody'] = {
      required: !route.body.safeParse(undefined).success,
      content: {
        [route.bodyMedia ?? 'application/json']: { schema: jsonSchema(route.body, 'input', schemas) },
      },
    }
  if (route.bodyStream !== undefined)
    definition['requestBody'] = {
      required: true,
      content: Object.fromEntries(
        route.bodyStream.map((media) => [media, { schema: { type: 'string', format: 'binary' } }]),
      ),
    }
  if (route.access === 'public') definition['security'] = []
  else if (route.person === true) definition['security'] = personSchemes.map((name) => ({ [name]: [] }))
  return definition
}

function tagOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function inputs(where: 'path' | 'query', schema: z.ZodType | undefined, schemas: Json): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', schemas) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: rest,
    ...(description === undefined ? {} : { description }),
  }))
}

function success(route: Route, schemas: Json): Json {
  const status = route.status ?? 200
  const answer: Json = { description: route.summary, headers: responseHeaders(status, route) }
  if (route.reply !== undefined)
    answer['content'] = { 'application/json': { schema: jsonSchema(route.reply, 'output', schemas) } }
  else if (route.media !== undefined)
    answer['content'] = Object.fromEntries([route.media].flat().map((media) => [media, mediaSchema(media)]))
  if (route.requestHeaders?.includes('If-None-Match') !== true) return { [String(status)]: answer }
  const unchanged = 'The ETag of If-None-Match is still current. The response is empty.'
  return {
    [String(status)]: answer,
    304: { description: unchanged, headers: responseHeaders(304, route) },
  }
}

/** Returns the media type object of a response: a string for text; bytes and JSON need no schema. */
function mediaSchema(media: string): Json {
  return media.startsWith('text/') ? { schema: { type: 'string' } } : {}
}

/** Returns one response for each status, naming the codes that it can carry. */
function failures(route: Route, schemas: Json): Json {
  const codes = new Set<ErrorCode>([...commonErrors, ...route.errors])
  if (route.access === 'signed_in') {
    for (const code of signedInErrors) codes.add(code)
    if (route.effect === 'writes') for (const code of writingErrors) codes.add(code)
  }
  if (route.foreignErrorFormat === undefined || route.body !== undefined) codes.add('request.malformed')
  if (route.body !== undefined)
    for (const code of ['request.too_large', 'request.media_type'] as const) codes.add(code)
  const other = route.foreignErrorFormat
  const byStatus = Map.groupBy([...codes].sort(), (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `${code}: ${errorCatalogue[code].title}.`).join(' '),
        headers: responseHeaders(status, route, codes),
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          ...(other?.statuses.includes(status) === true
            ? { 'application/json': { schema: jsonSchema(other.body, 'output', schemas) } }
            : {}),
        },
      },
    ]),
  )
}

/** Returns the JSON Schema of a zod schema; schemas with an id are moved to `components/schemas` and referenced. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  const { $schema: _dialect, $defs, id: _id, ...own } = made
  for (const [id, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
    schemas[id] ??= rewriteRefs(withoutId(definition))
  const id = z.globalRegistry.get(schema)?.id
  if (id === undefined) return rewriteRefs(own) as Json
  schemas[id] ??= rewriteRefs(own)
  return { $ref: `#/components/schemas/${id}` }
}

function withoutId({ id: _id, ...definition }: Json): Json {
  return definition
}

function rewriteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteRefs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === '$ref' && typeof inner === 'string'
        ? [name, inner.replace('#/$defs/', '#/components/schemas/')]
        : [name, rewriteRefs(inner)],
    ),
  )
}

/** Yields `Component` and one schema for each type, from the rooms: each takes some milliseconds the first time. */
async function* componentSchemas(): AsyncGenerator<[string, Json]> {
  const references = componentTypes.map((type) => [type, `#/components/schemas/Component_${type}`] as const)
  yield [
    'Component',
    {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(references) },
    },
  ]
  for (const type of componentTypes) {
    await yieldToEventLoop()
    const { $schema: _dialect, ...schema } = envelopeJsonSchema(type)
    yield [`Component_${type}`, schema]
  }
}
