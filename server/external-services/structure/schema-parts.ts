// The structure of one schema: its own requirements, and the schemas below it. Descriptions, examples, defaults and
// the order of keys and sets do not belong to it.
import { canonicalJson } from '#kernel/change/canonical.ts'
import { sortedSet } from '../document/canonical-description.ts'
import { isList, isObject, memberOf, type JsonObject, type JsonValue } from '../json.ts'

export interface SchemaParts {
  /** Keyword and value. */
  facts: readonly (readonly [keyword: string, value: JsonValue])[]
  /** Steps to the schemas directly below, such as `properties/name` or `items`. */
  children: readonly (readonly [label: string, schema: JsonValue])[]
}

const plain = [
  ...['const', 'contentEncoding', 'contentMediaType', 'exclusiveMaximum', 'exclusiveMinimum', 'format'],
  ...['maxContains', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minContains', 'minItems'],
  ...['minLength', 'minProperties', 'minimum', 'multipleOf', 'pattern'],
]
/** Only meaningful if true. */
const flags = ['readOnly', 'uniqueItems', 'writeOnly']
const sets = ['enum', 'required']
const keywords = [...plain, ...flags, ...sets, 'type', 'dependentRequired'].sort()

const single = [
  ...['additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not', 'propertyNames'],
  ...['then', 'unevaluatedItems', 'unevaluatedProperties'],
]
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const maps = ['dependentSchemas', 'patternProperties', 'properties']

/** @param schema without a reference, or with requirements beside its reference */
export function schemaParts(schema: JsonObject): SchemaParts {
  const facts = keywords.flatMap((keyword): [string, JsonValue][] => {
    const value = factOf(schema, keyword)
    return value === undefined ? [] : [[keyword, value]]
  })
  return { facts, children: childrenOf(schema) }
}

function factOf(schema: JsonObject, keyword: string): JsonValue | undefined {
  const value = memberOf(schema, keyword)
  if (value === undefined) return undefined
  if (flags.includes(keyword)) return value === true ? true : undefined
  if (keyword === 'type') return isList(value) ? sortedSet([...new Set(value)]) : [value]
  if (sets.includes(keyword) && isList(value)) return value.length === 0 ? undefined : sortedSet(value)
  if (keyword === 'dependentRequired' && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, list]) => [name, isList(list) ? sortedSet(list) : list]),
    )
  return value
}

function childrenOf(schema: JsonObject): [string, JsonValue][] {
  const children: [string, JsonValue][] = []
  if (typeof schema.$ref === 'string') children.push(['$ref', { $ref: schema.$ref }])
  for (const name of single) {
    const child = memberOf(schema, name)
    if (isSchema(child) && !(name === 'additionalProperties' && isAnything(child)))
      children.push([name, child])
  }
  for (const name of lists) {
    const items = memberOf(schema, name)
    if (isList(items)) items.forEach((item, at) => isSchema(item) && children.push([`${name}/${at}`, item]))
  }
  for (const name of maps) {
    const map = memberOf(schema, name)
    if (!isObject(map)) continue
    for (const key of Object.keys(map)) if (isSchema(map[key])) children.push([`${name}/${key}`, map[key]])
  }
  return children.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

const isSchema = (value: JsonValue | undefined): value is JsonObject | boolean =>
  typeof value === 'boolean' || isObject(value)

/** Whether a schema accepts every value: additional properties do unless said otherwise. */
function isAnything(schema: JsonValue): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0)
}

/** Whether the reference is all of a schema: descriptions beside it require nothing. */
export function isPureReference(schema: JsonObject): boolean {
  if (typeof schema.$ref !== 'string') return false
  if (Object.keys(schema).length === 1) return true
  const { facts, children } = schemaParts(schema)
  return facts.length === 0 && children.length === 1
}

/** The text of the facts, with the labels of the children. */
export function skeletonOf({ facts, children }: SchemaParts): string {
  return canonicalJson([facts, children.map(([label]) => label)])
}
