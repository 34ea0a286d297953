// The typed operations of a bundle.
import type {
  ServiceOperation,
  ServiceParameter,
  ServiceType,
  ServiceTypes,
} from '#kernel/components/external-service/service-types.ts'
import { isObject, objectIn, textIn, type JsonObject, type JsonValue } from '../json.ts'
import type { Method } from '../document/grammar.ts'
import type { OperationContent, OperationStructure } from '../structure/operation-structure.ts'
import type { SchemaGraph } from '../structure/schema-graph.ts'
import { chooseContent, isFormType, isJsonType } from './choose-content.ts'
import { SchemaTypes, type TypeWarning } from './schema-types.ts'
import { unionOf } from './union-type.ts'

export interface NamedStructure {
  name: string
  structure: OperationStructure
}

export interface TypedOperations {
  types: ServiceTypes
  /** What became a value of unknown type, and why. */
  warnings: readonly TypeWarning[]
}

/** @param operations sorted by name, so that generated names of types are the same in any order of the document */
export function typeOperations(graph: SchemaGraph, operations: readonly NamedStructure[]): TypedOperations {
  const types = new SchemaTypes(graph, componentNames(graph))
  const typed = operations.map((operation) => typeOperation(operation, graph.bundle, types))
  return { types: { operations: typed, objects: types.objects }, warnings: types.warnings }
}

function componentNames({ bundle }: SchemaGraph): Map<JsonValue, string> {
  const schemas = objectIn(objectIn(bundle, 'components'), 'schemas')
  return new Map(
    Object.entries(schemas).flatMap(([name, schema]) => (isObject(schema) ? [[schema, name]] : [])),
  )
}

function typeOperation(
  { name, structure }: NamedStructure,
  bundle: JsonObject,
  types: SchemaTypes,
): ServiceOperation {
  const operation = objectIn(objectIn(objectIn(bundle, 'paths'), structure.path), structure.method)
  const summary = textIn(operation, 'summary')
  const responses = structure.responses.map(({ status, content }) => {
    const chosen = chooseContent(content)
    const place = `The response ${status} of ${name}`
    return [status, chosen && typedContent(chosen, `${name}_${status}`, place, types)] as const
  })
  return {
    name,
    method: structure.method.toUpperCase() as Uppercase<Method>,
    path: structure.path,
    ...(summary !== undefined && { summary }),
    ...(operation.deprecated === true && { deprecated: true }),
    parameters: typedParameters(name, structure, types),
    body: typedBody(name, structure, types),
    responses: Object.fromEntries(responses),
    result: resultOf(name, responses, types),
  }
}

function typedParameters(
  operation: string,
  { parameters }: OperationStructure,
  types: SchemaTypes,
): ServiceParameter[] {
  const counts = new Map<string, number>()
  for (const { name } of parameters) counts.set(name, (counts.get(name) ?? 0) + 1)
  return parameters.map(({ name, in: place, required, description, schema }) => ({
    key: counts.get(name) === 1 ? name : `${place}_${name}`,
    ...{ name, in: place, required },
    type: types.typeOf(schema, `${operation}_${name}`, `The ${place} parameter ${name} of ${operation}`),
    ...(description !== undefined && { description }),
  }))
}

function typedBody(name: string, { body }: OperationStructure, types: SchemaTypes): ServiceOperation['body'] {
  const content = body === null ? null : chooseContent(body.content)
  if (body === null || content === null) return null
  const place = `The request body of ${name}`
  return { required: body.required, ...typedContent(content, `${name}_body`, place, types) }
}

function typedContent(
  { mediaType, schema }: OperationContent,
  name: string,
  place: string,
  types: SchemaTypes,
): { mediaType: string; type: ServiceType } {
  if (isJsonType(mediaType) || isFormType(mediaType))
    return { mediaType, type: types.typeOf(schema, name, place) }
  if (mediaType.startsWith('text/')) return { mediaType, type: { kind: 'text' } }
  types.warn(place, `has the media type ${mediaType}, which has no types`)
  return { mediaType, type: { kind: 'dyn' } }
}

type TypedResponse = readonly [status: string, content: { type: ServiceType } | null]

/** Of the responses that mean success; of "default" if none does. */
function resultOf(name: string, responses: readonly TypedResponse[], types: SchemaTypes): ServiceType {
  const successes = responses.filter(([status]) => status.startsWith('2'))
  const relevant = successes.length > 0 ? successes : responses.filter(([status]) => status === 'default')
  const union = unionOf(relevant.map(([, content]) => content?.type ?? { kind: 'absent' }))
  if (union !== null) return union
  types.warn(`The result of ${name}`, 'differs between its successful responses')
  return { kind: 'dyn' }
}
