// The data API of each object that the caller can see, with its fields, beside the routes that take any object.
import type { FieldDescription, ObjectDescription } from '../records/index.ts'
import { itemOperations } from './schemas/records.ts'

type Json = Record<string, unknown>
type Operation = Json & { operationId: string; parameters: Json[]; responses: Record<string, Json> }
export type Document = Json & {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Json }
}

/** The routes of one object, and the schemas of their bodies and of their successful responses. */
const typedRoutes: readonly {
  path: string
  method: string
  body?: 'Values' | 'Batch'
  reply?: 'Record' | 'Selection' | 'Page'
  right: 'create' | 'read' | 'update' | 'delete' | null
}[] = [
  { path: '/data/v3/{object}', method: 'post', body: 'Values', reply: 'Record', right: 'create' },
  { path: '/data/v3/{object}/describe', method: 'get', right: null },
  { path: '/data/v3/{object}/batch', method: 'post', body: 'Batch', right: null },
  { path: '/data/v3/{object}/search', method: 'post', reply: 'Page', right: 'read' },
  { path: '/data/v3/{object}/{id}', method: 'get', reply: 'Selection', right: 'read' },
  { path: '/data/v3/{object}/{id}', method: 'patch', body: 'Values', reply: 'Record', right: 'update' },
  { path: '/data/v3/{object}/{id}', method: 'delete', right: 'delete' },
]

/** Adds the routes of objects to a document, with a step for each object. */
export function* addObjects(
  { paths, components: { schemas } }: Document,
  objects: readonly ObjectDescription[],
): Generator<void> {
  for (const object of objects) {
    yield
    Object.assign(schemas, schemasOf(object))
    for (const { path, method, body, reply, right } of typedRoutes) {
      if (right !== null && !object.rights[right]) continue
      if (object.remote !== null && body === 'Batch') continue
      const generic = paths[path]![method]!
      const own = path.replace('{object}', object.key)
      paths[own] = { ...paths[own], [method]: operationOf(generic, object, { body, reply }) }
    }
  }
}

function operationOf(
  generic: Operation,
  { key, label }: ObjectDescription,
  { body, reply }: { body?: string | undefined; reply?: string | undefined },
): Operation {
  const { parameters, responses, ...rest } = generic
  const contentOf = (name: string): Json => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}_${key}` } },
  })
  const successes = Object.entries(responses).map(([status, response]) => [
    status,
    reply !== undefined && status.startsWith('2') ? { ...response, content: contentOf(reply) } : response,
  ])
  return {
    ...rest,
    operationId: `${generic.operationId}_${key}`,
    summary: `${String(generic['summary'])} (${label})`,
    parameters: parameters.filter(({ name }) => name !== 'object'),
    responses: Object.fromEntries(successes) as Operation['responses'],
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body) } }),
  }
}

function schemasOf({ key, fields, remote }: ObjectDescription): Json {
  const named = (each: FieldDescription): string[] => [each.key, ...each.aliases]
  const properties = (of: readonly FieldDescription[], schemaOf: (field: FieldDescription) => Json): Json =>
    Object.fromEntries(of.flatMap((field) => named(field).map((name) => [name, schemaOf(field)])))
  const editable = fields.filter((field) => field.editable)
  const read = properties(fields, storedSchema)
  const recordOf = (required: readonly string[]): Json => ({
    type: 'object',
    required: ['id', 'object', 'version', 'fields'],
    properties: {
      id: { type: 'string' },
      object: { const: key },
      version: remote === null ? { type: 'integer' } : remoteVersion,
      fields: { type: 'object', required, properties: read },
      errors: { type: 'object', additionalProperties: { type: 'string' } },
    },
  })
  return {
    [`Values_${key}`]: {
      type: 'object',
      additionalProperties: false,
      properties: properties(editable, fieldSchema),
    },
    [`Record_${key}`]: recordOf(Object.keys(read)),
    // With `fields`, those that were asked for.
    [`Selection_${key}`]: recordOf([]),
    [`Page_${key}`]: {
      type: 'object',
      required: ['records', 'nextCursor'],
      properties: {
        records: { type: 'array', items: { $ref: `#/components/schemas/Selection_${key}` } },
        nextCursor: { type: ['string', 'null'] },
        warnings: { type: 'array', items: { $ref: '#/components/schemas/Problem' } },
      },
    },
    ...(remote === null ? batchOf(key) : {}),
  }
}

const remoteVersion = {
  type: ['string', 'null'],
  description:
    'Changes with the ETag of the source. Send it in If-Match, in double quotes; null if the source has no ETags.',
}

function batchOf(key: string): Json {
  return {
    [`Batch_${key}`]: {
      type: 'object',
      additionalProperties: false,
      required: ['records'],
      properties: {
        allOrNone: { type: 'boolean', default: false },
        records: {
          type: 'array',
          maxItems: 200,
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['op'],
            properties: {
              op: { enum: itemOperations },
              id: { type: 'string' },
              externalId: { type: 'string' },
              version: { type: 'integer', minimum: 1 },
              fields: { $ref: `#/components/schemas/Values_${key}` },
            },
          },
        },
      },
    },
  }
}

/** Without the forms in which a reference can be sent. */
function storedSchema(field: FieldDescription): Json {
  return field.type === 'reference'
    ? { title: field.label, type: ['string', 'null'], description: `A record of ${field.references}.` }
    : fieldSchema(field)
}

function fieldSchema({ label, type, values, references }: FieldDescription): Json {
  const title = { title: label }
  switch (type) {
    case 'number':
      return { ...title, type: ['string', 'null'], format: 'decimal' }
    case 'boolean':
      return { ...title, type: ['boolean', 'null'] }
    case 'date':
      return { ...title, type: ['string', 'null'], format: 'date' }
    case 'datetime':
      return { ...title, type: ['string', 'null'], format: 'date-time' }
    case 'enum':
      return values === null ? { ...title, type: ['string', 'null'] } : { ...title, enum: [...values, null] }
    case 'reference': {
      const byUniqueField = { type: 'object', additionalProperties: true }
      return {
        ...title,
        anyOf: [{ type: ['string', 'null'] }, byUniqueField],
        description: `A record of ${references}.`,
      }
    }
    case 'text':
      return { ...title, type: ['string', 'null'] }
  }
}
