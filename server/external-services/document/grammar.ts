// Which parts of an OpenAPI 3.1 document are of which kind: examples, defaults and extensions are data, not parts.
import { isObject, memberOf, type JsonValue } from '../json.ts'

export type PartKind =
  | 'document'
  | 'components'
  | 'path_item'
  | 'operation'
  | 'parameter'
  | 'request_body'
  | 'response'
  | 'header'
  | 'media_type'
  | 'encoding'
  | 'callback'
  | 'link'
  | 'example'
  | 'security_scheme'
  | 'schema'

/** A part itself, a list of parts, or a map of parts. */
export type PartShape = 'one' | 'list' | 'map'
type Grammar = Readonly<Record<string, readonly [PartShape, PartKind]>>

const media: Grammar = { content: ['map', 'media_type'] }
const headers: Grammar = { headers: ['map', 'header'] }
const examples: Grammar = { examples: ['map', 'example'] }
const parameter: Grammar = { schema: ['one', 'schema'], ...media, ...examples }
const operation = ['one', 'operation'] as const

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
export type Method = (typeof methods)[number]

const schema: Grammar = {
  ...{ properties: ['map', 'schema'], patternProperties: ['map', 'schema'] },
  ...{ additionalProperties: ['one', 'schema'], unevaluatedProperties: ['one', 'schema'] },
  ...{ propertyNames: ['one', 'schema'], dependentSchemas: ['map', 'schema'] },
  ...{ items: ['one', 'schema'], prefixItems: ['list', 'schema'], contains: ['one', 'schema'] },
  ...{ unevaluatedItems: ['one', 'schema'], contentSchema: ['one', 'schema'] },
  ...{ allOf: ['list', 'schema'], anyOf: ['list', 'schema'], oneOf: ['list', 'schema'] },
  ...{ not: ['one', 'schema'], if: ['one', 'schema'], then: ['one', 'schema'], else: ['one', 'schema'] },
  ...{ $defs: ['map', 'schema'], definitions: ['map', 'schema'] },
}

/** The section of "components" for each kind that a reference can have. */
export const sections = {
  ...{ schema: 'schemas', response: 'responses', parameter: 'parameters', example: 'examples' },
  ...{ request_body: 'requestBodies', header: 'headers', security_scheme: 'securitySchemes' },
  ...{ link: 'links', callback: 'callbacks', path_item: 'pathItems' },
} as const satisfies Partial<Record<PartKind, string>>
export type ReferenceKind = keyof typeof sections

export const grammar: Readonly<Record<PartKind, Grammar>> = {
  document: {
    paths: ['map', 'path_item'],
    webhooks: ['map', 'path_item'],
    components: ['one', 'components'],
  },
  components: Object.fromEntries(
    Object.entries(sections).map(([kind, section]) => [section, ['map', kind as PartKind] as const]),
  ),
  path_item: {
    ...Object.fromEntries(methods.map((method) => [method, operation])),
    parameters: ['list', 'parameter'],
  },
  operation: {
    ...{ parameters: ['list', 'parameter'], requestBody: ['one', 'request_body'] },
    ...{ responses: ['map', 'response'], callbacks: ['map', 'callback'] },
  },
  parameter,
  header: parameter,
  request_body: media,
  response: { ...headers, ...media, links: ['map', 'link'] },
  media_type: { schema: ['one', 'schema'], ...examples, encoding: ['map', 'encoding'] },
  encoding: headers,
  callback: {},
  ...{ link: {}, example: {}, security_scheme: {} },
  schema,
}

export interface PartStep {
  shape: PartShape
  kind: PartKind
}

/** Returns what a member of a part contains; null for data. A callback is itself a map of path items. */
export function partStep(kind: PartKind, name: string): PartStep | null {
  if (kind === 'callback')
    return name === '$ref' || name.startsWith('x-') ? null : { shape: 'one', kind: 'path_item' }
  const step = Object.hasOwn(grammar[kind], name) ? grammar[kind][name] : undefined
  return step === undefined ? null : { shape: step[0], kind: step[1] }
}

/** Maps whose names can be extensions, which are data. */
export function isExtension(kind: PartKind, name: string): boolean {
  return (kind === 'path_item' || kind === 'response') && name.startsWith('x-')
}

/** Returns the kind of the part that the steps lead to, from a part of the given kind; null if it is not a part. */
export function kindAt(from: PartKind, steps: readonly string[]): PartKind | null {
  let kind = from
  for (let at = 0; at < steps.length; at += 1) {
    const step = partStep(kind, steps[at]!)
    if (step === null) return null
    if (step.shape !== 'one') at += 1
    if (at >= steps.length) return null
    kind = step.kind
  }
  return kind
}

/** The reference of a part, if it is one. A path item or a schema can have other members beside it. */
export function referenceOf(part: JsonValue): string | undefined {
  const reference = isObject(part) ? memberOf(part, '$ref') : undefined
  return typeof reference === 'string' ? reference : undefined
}

export const isReferenceKind = (kind: PartKind): kind is ReferenceKind => Object.hasOwn(sections, kind)
