// A path for each operation of an external service that the caller can call, with its parameters and its typed result.
import type { ComponentView } from '#kernel/components/view.ts'
import { serviceTypesOf } from '#kernel/components/external-service/find-operation.ts'
import type {
  ServiceObject,
  ServiceOperation,
  ServiceType,
  ServiceTypes,
} from '#kernel/components/external-service/service-types.ts'
import type { EffectiveAccess } from '../access/index.ts'
import type { Document } from './openapi-objects.ts'
import { canCallService } from './views/service-view.ts'

type Json = Record<string, unknown>

const genericPath = '/invoke/v3/{operation}'

/** Adds the operations to a document, with a step for each and for each type of a service. */
export function* addServices(
  { paths, components: { schemas } }: Document,
  view: ComponentView,
  access: EffectiveAccess,
): Generator<void> {
  const generic = paths[genericPath]!['post']!
  for (const service of view.keys('external_service')) {
    const types = canCallService(view, access, service) ? serviceTypesOf(view, service) : undefined
    if (types === undefined) continue
    const nameOf = schemaNames(service, types)
    for (const [name, object] of Object.entries(types.objects)) {
      yield
      schemas[nameOf(name)] = objectSchema(object, nameOf)
    }
    for (const operation of types.operations) {
      yield
      const key = `${service}.${operation.name}`
      paths[genericPath.replace('{operation}', encodeURIComponent(key))] = {
        post: pathOf(generic, key, operation, nameOf),
      }
    }
  }
}

type NameOf = (object: string) => string

/** Two objects of one service never have the same name, also after what a name cannot contain is replaced. */
function schemaNames(service: string, { objects }: ServiceTypes): NameOf {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const object of Object.keys(objects)) {
    const plain = `Service_${service}_${object.replaceAll(/[^\w.-]/g, '_')}`
    let name = plain
    for (let n = 2; taken.has(name); n++) name = `${plain}_${n}`
    taken.add(name)
    names.set(object, name)
  }
  return (object) => names.get(object)!
}

function pathOf(
  generic: Document['paths'][string][string],
  key: string,
  operation: ServiceOperation,
  nameOf: NameOf,
): Document['paths'][string][string] {
  const { parameters, responses, ...rest } = generic
  const json = (schema: Json): Json => ({ 'application/json': { schema } })
  return {
    ...rest,
    operationId: `${rest.operationId}_${key.replaceAll(/[^\w.-]/g, '_')}`,
    summary: operation.summary ?? `Call ${key}`,
    ...(operation.deprecated === true ? { deprecated: true } : {}),
    parameters: parameters.filter(({ name }) => name !== 'operation'),
    requestBody: { required: true, content: json(callSchema(operation, nameOf)) },
    responses: {
      ...responses,
      200: { ...responses['200'], content: json(resultSchema(key, operation, nameOf)) },
    },
  }
}

function callSchema({ parameters, body }: ServiceOperation, nameOf: NameOf): Json {
  const params = [
    ...parameters.map(({ key, type, required }) => ({ key, type, required })),
    ...(body === null ? [] : [{ key: 'body', type: body.type, required: body.required }]),
  ]
  return {
    type: 'object',
    required: ['params'],
    properties: {
      params: {
        ...{ type: 'object', additionalProperties: false },
        required: params.filter(({ required }) => required).map(({ key }) => key),
        properties: Object.fromEntries(params.map(({ key, type }) => [key, typeSchema(type, nameOf)])),
      },
    },
  }
}

function resultSchema(key: string, { result }: ServiceOperation, nameOf: NameOf): Json {
  return {
    type: 'object',
    required: ['operation', 'generation', 'ran', 'returns'],
    properties: {
      operation: { const: key },
      generation: { type: 'integer' },
      ran: { const: true },
      returns: {
        type: 'object',
        required: ['status', 'body'],
        properties: { status: { type: 'integer' }, body: typeSchema(result, nameOf) },
      },
    },
  }
}

function objectSchema({ members, others, description }: ServiceObject, nameOf: NameOf): Json {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    required: members.filter(({ required, only }) => required && only === undefined).map(({ key }) => key),
    properties: Object.fromEntries(members.map(({ key, type }) => [key, typeSchema(type, nameOf)])),
    ...(others === null ? {} : { additionalProperties: typeSchema(others, nameOf) }),
  }
}

function typeSchema(type: ServiceType, nameOf: NameOf): Json {
  const schema = plainSchema(type, nameOf)
  return type.nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

function plainSchema(type: ServiceType, nameOf: NameOf): Json {
  switch (type.kind) {
    case 'text':
      return { type: 'string', ...(type.values === undefined ? {} : { enum: [...type.values] }) }
    case 'decimal':
      return { type: 'string', format: 'decimal' }
    case 'boolean':
      return { type: 'boolean' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'datetime':
      return { type: 'string', format: 'date-time' }
    case 'list':
      return { type: 'array', items: typeSchema(type.of, nameOf) }
    case 'object':
      return { $ref: `#/components/schemas/${nameOf(type.name)}` }
    case 'absent':
      return { type: 'null' }
    case 'dyn':
      return {}
  }
}
