// What a caller depends on in one operation: method, path, parameters, request body and responses.
import { canonicalJson } from '#kernel/change/canonical.ts'
import {
  isList,
  isObject,
  listIn,
  memberOf,
  objectIn,
  textIn,
  type JsonObject,
  type JsonValue,
} from '../json.ts'
import type { Method } from '../document/grammar.ts'
import { resolvePart } from '../document/resolve.ts'

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export interface OperationParameter {
  name: string
  in: ParameterPlace
  required: boolean
  description?: string
  /** How the value is written; of OpenAPI, with its defaults filled in. Ignored if there is a media type. */
  style: string
  explode: boolean
  allowReserved: boolean
  /** If the value is written as content of this type. */
  mediaType?: string
  schema: JsonValue
}

export interface OperationContent {
  mediaType: string
  schema: JsonValue
  /** How the parts of a form are written. */
  encoding: JsonObject
}

export interface OperationStructure {
  method: Method
  path: string
  parameters: readonly OperationParameter[]
  /** Null if the operation takes no body. */
  body: { required: boolean; content: readonly OperationContent[] } | null
  /** By status, `2XX` or `default`. No content: an empty response. */
  responses: readonly { status: string; description?: string; content: readonly OperationContent[] }[]
}

/** @param place of the operation in the bundle */
export function operationStructure(
  bundle: JsonObject,
  { method, path }: { method: Method; path: string },
): OperationStructure {
  const item = objectIn(objectIn(bundle, 'paths'), path)
  const operation = objectIn(item, method)
  return {
    ...{ method, path, parameters: parametersOf(bundle, item, operation) },
    body: bodyOf(bundle, operation),
    responses: responsesOf(bundle, operation),
  }
}

/** OpenAPI ignores parameters with these names: the body and the credential decide. */
const reservedHeaders = new Set(['accept', 'content-type', 'authorization'])

function parametersOf(bundle: JsonObject, item: JsonObject, operation: JsonObject): OperationParameter[] {
  const found = new Map<string, OperationParameter>()
  for (const part of [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')]) {
    const parameter = parameterOf(bundle, resolvePart(bundle, part))
    if (parameter !== null) found.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, parameter]) => parameter)
}

function parameterOf(bundle: JsonObject, part: JsonObject): OperationParameter | null {
  const [name, place] = [textIn(part, 'name'), textIn(part, 'in')]
  if (name === undefined || !isPlace(place)) return null
  if (place === 'header' && reservedHeaders.has(name.toLowerCase())) return null
  const [content] = contentOf(bundle, part)
  const style = textIn(part, 'style') ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
  return {
    ...{ name, in: place, style, required: place === 'path' || part.required === true },
    description: textIn(part, 'description'),
    explode: typeof part.explode === 'boolean' ? part.explode : style === 'form',
    allowReserved: part.allowReserved === true,
    mediaType: content?.mediaType,
    schema: content?.schema ?? memberOf(part, 'schema') ?? true,
  }
}

function isPlace(place: string | undefined): place is ParameterPlace {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie'
}

function bodyOf(bundle: JsonObject, operation: JsonObject): OperationStructure['body'] {
  const part = memberOf(operation, 'requestBody')
  if (!isObject(part)) return null
  const body = resolvePart(bundle, part)
  const content = contentOf(bundle, body)
  return content.length === 0 ? null : { required: body.required === true, content }
}

function responsesOf(bundle: JsonObject, operation: JsonObject): OperationStructure['responses'] {
  return Object.entries(objectIn(operation, 'responses'))
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, part]) => {
      const response = resolvePart(bundle, part)
      const description = textIn(response, 'description')
      return {
        status: status.toUpperCase().replace('DEFAULT', 'default'),
        description,
        content: contentOf(bundle, response),
      }
    })
    .sort((a, b) => (a.status < b.status ? -1 : 1))
}

function contentOf(bundle: JsonObject, part: JsonObject): OperationContent[] {
  return Object.entries(objectIn(part, 'content'))
    .map(([name, value]) => {
      const media = resolvePart(bundle, value)
      const encoding = objectIn(media, 'encoding')
      return { mediaType: normalMediaType(name), schema: memberOf(media, 'schema') ?? true, encoding }
    })
    .sort((a, b) => (a.mediaType < b.mediaType ? -1 : 1))
}

/** Without case and white space; parameters such as a charset stay. */
const normalMediaType = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, '')

/**
 * Returns the text whose digest is the signature.
 * @param digestOf of a schema, by its structure
 */
export function signatureText(
  structure: OperationStructure,
  digestOf: (schema: JsonValue) => string,
): string {
  const content = (each: OperationContent): JsonValue => [
    each.mediaType,
    digestOf(each.schema),
    structuralEncoding(each.encoding),
  ]
  return canonicalJson({
    method: structure.method,
    path: structure.path,
    parameters: structure.parameters.map((each): JsonValue => [
      ...[each.in, each.name, each.required, each.mediaType ?? null],
      ...(each.mediaType === undefined ? [each.style, each.explode, each.allowReserved] : []),
      digestOf(each.schema),
    ]),
    body: structure.body && {
      required: structure.body.required,
      content: structure.body.content.map(content),
    },
    responses: structure.responses.map((each): JsonValue => [each.status, each.content.map(content)]),
  })
}

const encodingMembers = ['allowReserved', 'contentType', 'explode', 'style']

/** How the parts of a form are written, without descriptions and headers. */
export function structuralEncoding(encoding: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(encoding).flatMap(([name, part]) => {
      if (!isObject(part)) return []
      const members = encodingMembers.flatMap((member) => {
        const value = memberOf(part, member)
        return value === undefined || isList(value) ? [] : [[member, value] as const]
      })
      return members.length === 0 ? [] : [[name, Object.fromEntries(members)] as const]
    }),
  )
}
