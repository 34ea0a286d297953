// One schema in place of `allOf`: a value of it has the members of all of them.
import { isList, isObject, listIn, memberOf, objectIn, type JsonObject, type JsonValue } from '../json.ts'
import type { SchemaGraph } from '../structure/schema-graph.ts'

const mostParts = 200

/** Returns the schema itself if it combines none; null if the parts contradict each other or are too many. */
export function mergeSchemas(schema: JsonObject, graph: SchemaGraph): JsonObject | null {
  if (!Object.hasOwn(schema, 'allOf') && typeof schema.$ref !== 'string') return schema
  const parts: JsonObject[] = []
  const passed = new Set<JsonValue>()
  const open: JsonValue[] = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const resolved = graph.resolve(next)
    if (resolved === true || passed.has(resolved)) continue
    if (resolved === false || passed.size >= mostParts) return null
    passed.add(resolved)
    const { $ref, allOf: _all, ...own } = resolved
    if (typeof $ref === 'string') open.push({ $ref })
    open.push(...listIn(resolved, 'allOf').toReversed())
    parts.push(own)
  }
  return parts.reduce<JsonObject | null>((whole, part) => (whole === null ? null : merge(whole, part)), {})
}

function merge(a: JsonObject, b: JsonObject): JsonObject | null {
  const type = commonTypes(memberOf(a, 'type'), memberOf(b, 'type'))
  if (type === null) return null
  const properties = {
    ...objectIn(a, 'properties'),
    ...both(objectIn(a, 'properties'), objectIn(b, 'properties')),
  }
  const required = [...new Set([...listIn(a, 'required'), ...listIn(b, 'required')])]
  const choices = [...choicesOf(a), ...choicesOf(b)]
  if (choices.length > 1) return null
  const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = { ...a, ...b }
  return {
    ...rest,
    ...choices[0],
    ...(type !== undefined && { type }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

/** A property that both have must satisfy both. */
function both(a: JsonObject, b: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(b).map(([key, schema]): [string, JsonValue] => {
      const other = memberOf(a, key)
      if (other === undefined || !isRestriction(schema) || schema === other) return [key, schema]
      return [key, isRestriction(other) ? { allOf: [other, schema] } : schema]
    }),
  )
}

const isRestriction = (schema: JsonValue): boolean => isObject(schema) && Object.keys(schema).length > 0

function choicesOf(schema: JsonObject): JsonObject[] {
  return ['oneOf', 'anyOf'].flatMap((name) => {
    const list = memberOf(schema, name)
    return isList(list) && list.length > 0 ? [{ [name]: list }] : []
  })
}

function commonTypes(a: JsonValue | undefined, b: JsonValue | undefined): JsonValue | undefined | null {
  if (a === undefined || b === undefined) return a ?? b
  const [one, other] = [a, b].map((type) => (isList(type) ? type : [type])) as [JsonValue[], JsonValue[]]
  const common = one.filter(
    (type) => other.includes(type) || (type === 'integer' && other.includes('number')),
  )
  if (common.length === 0 && one.includes('number') && other.includes('integer')) return 'integer'
  return common.length === 0 ? null : common.length === 1 ? common[0] : common
}
