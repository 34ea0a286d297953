// Upgrades parts of OpenAPI 3.0 to 3.1: the schemas of 3.0 are a dialect of their own.
import { isList, memberOf, type JsonObject, type JsonValue } from '../json.ts'

type Draft = Record<string, JsonValue>

/** Returns the schema as JSON Schema 2020-12. The schemas below it are upgraded separately. */
export function upgradeSchema(schema: JsonObject): JsonObject {
  const reference = memberOf(schema, '$ref')
  if (typeof reference === 'string') return upgradeReference(schema, reference)
  if (!legacyMembers.some((name) => Object.hasOwn(schema, name))) return schema
  const draft: Draft = { ...schema }
  upgradeBound(draft, 'minimum', 'exclusiveMinimum')
  upgradeBound(draft, 'maximum', 'exclusiveMaximum')
  upgradeExample(draft)
  upgradeFormat(draft)
  return upgradeNullable(draft)
}

const legacyMembers = ['nullable', 'exclusiveMinimum', 'exclusiveMaximum', 'example', 'format']

/** Version 3.0 ignores what is beside a reference. Authors mean "nullable" there all the same. */
function upgradeReference(schema: JsonObject, reference: string): JsonObject {
  const target = { $ref: reference }
  return schema.nullable === true ? { anyOf: [target, { type: 'null' }] } : target
}

function upgradeBound(draft: Draft, bound: string, exclusive: string): void {
  const flag = draft[exclusive]
  if (typeof flag !== 'boolean') return
  delete draft[exclusive]
  if (!flag || draft[bound] === undefined) return
  draft[exclusive] = draft[bound]
  delete draft[bound]
}

function upgradeExample(draft: Draft): void {
  if (draft.example === undefined) return
  draft.examples ??= [draft.example]
  delete draft.example
}

function upgradeFormat(draft: Draft): void {
  if (draft.type !== 'string') return
  if (draft.format === 'binary') {
    draft.contentMediaType ??= 'application/octet-stream'
    delete draft.format
  } else if (draft.format === 'byte') {
    draft.contentEncoding ??= 'base64'
    delete draft.format
  }
}

/** A schema that is nullable without a type of its own (in "allOf", for example) allows null as well. */
function upgradeNullable(draft: Draft): JsonObject {
  const { nullable, ...rest } = draft
  if (nullable !== true) return rest
  const { type } = rest
  if (typeof type === 'string' && type !== 'null' && !combinators.some((name) => Object.hasOwn(rest, name)))
    return { ...rest, type: [type, 'null'], ...withNullValue(rest) }
  if (!isList(type) && Object.keys(rest).some((name) => !annotations.has(name)))
    return { anyOf: [rest, { type: 'null' }] }
  return rest
}

const combinators = ['allOf', 'anyOf', 'oneOf', 'not', '$ref']
const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'externalDocs'])

function withNullValue({ enum: values }: JsonObject): JsonObject {
  return isList(values) && !values.includes(null) ? { enum: [...values, null] } : {}
}
