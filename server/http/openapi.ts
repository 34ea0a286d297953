// The OpenAPI 3.1 document, made from the route declarations and the rooms (completions 5).
import { z } from 'zod'
import { componentTypes } from '#kernel/components/component.ts'
import { allEnvelopeJsonSchemas } from '#kernel/components/json-schema.ts'
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import type { Route } from './route.ts'
import { problem } from './schemas/common.ts'

type Json = Record<string, unknown>

/** Codes that any route may answer; a signed-in one the second list too. */
const everyRoute: readonly ErrorCode[] = ['internal.error']
const signedIn: readonly ErrorCode[] = [
  'auth.required',
  'auth.invalid',
  'auth.forbidden_origin',
  'access.denied',
]

/** @param version of the product */
export function openapiDocument(routes: readonly Route[], version: string): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  jsonSchema(problem, 'output', schemas)
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route, schemas)
  Object.assign(schemas, componentSchemas())
  return {
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version,
      description:
        'Configuration that must be right on every date: its components, their generations, what they resolve to.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        client: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth2/token', scopes: {} } } },
      },
    },
  }
}

function operation(route: Route, schemas: Json): Json {
  const made: Json = {
    operationId: route.name,
    summary: route.summary,
    tags: [tagOf(route.path)],
    parameters: [...parameters('path', route.params, schemas), ...parameters('query', route.query, schemas)],
    responses: { ...success(route, schemas), ...failures(route) },
  }
  if (route.body !== undefined)
    made['requestBody'] = {
      required: true,
      content: {
        [route.bodyMedia ?? 'application/json']: { schema: jsonSchema(route.body, 'input', schemas) },
      },
    }
  if (route.access === 'public') made['security'] = []
  return made
}

function tagOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function parameters(where: 'path' | 'query', schema: z.ZodType | undefined, schemas: Json): Json[] {
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
  const answer: Json = { description: route.summary }
  if (route.reply !== undefined)
    answer['content'] = { 'application/json': { schema: jsonSchema(route.reply, 'output', schemas) } }
  else if (route.media !== undefined) answer['content'] = { [route.media]: { schema: { type: 'string' } } }
  return { [String(status)]: answer }
}

/** One response a status, naming the codes that it may carry. */
function failures(route: Route): Json {
  const codes = new Set<ErrorCode>([...everyRoute, ...route.errors])
  if (route.access === 'signed_in') for (const code of signedIn) codes.add(code)
  if (route.params !== undefined || route.query !== undefined || route.body !== undefined)
    codes.add('request.malformed')
  if (route.body !== undefined)
    for (const code of ['request.too_large', 'request.media_type'] as const) codes.add(code)
  const byStatus = Map.groupBy([...codes].sort(), (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, found]) => [
      String(status),
      {
        description: found.map((code) => `${code}: ${errorCatalogue[code].title}.`).join(' '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

/** The JSON Schema of a zod schema; what has an id goes to `components/schemas` and is referred to. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  const { $schema: _dialect, $defs, id: _id, ...own } = made
  for (const [id, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
    schemas[id] ??= referring(withoutId(definition))
  const id = z.globalRegistry.get(schema)?.id
  if (id === undefined) return referring(own) as Json
  schemas[id] ??= referring(own)
  return { $ref: `#/components/schemas/${id}` }
}

function withoutId({ id: _id, ...definition }: Json): Json {
  return definition
}

function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === '$ref' && typeof inner === 'string'
        ? [name, inner.replace('#/$defs/', '#/components/schemas/')]
        : [name, referring(inner)],
    ),
  )
}

/** `Component` and one schema a type, from the rooms. */
function componentSchemas(): Json {
  const names = Object.fromEntries(componentTypes.map((type) => [type, `Component_${type}`]))
  const schemas = allEnvelopeJsonSchemas()
  return {
    Component: {
      oneOf: componentTypes.map((type) => ({ $ref: `#/components/schemas/${names[type]}` })),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(
          componentTypes.map((type) => [type, `#/components/schemas/${names[type]}`]),
        ),
      },
    },
    ...Object.fromEntries(
      componentTypes.map((type) => {
        const { $schema: _dialect, ...schema } = schemas[type]
        return [names[type], schema]
      }),
    ),
  }
}
