// Looks up the schema at a place of a value, so that messages can name the allowed properties and values.
import { joinWithOr } from './report.ts'

/** The part of JSON Schema (2020-12) that this platform uses. */
export interface JsonSchema {
  $schema?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  default?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  [keyword: string]: unknown
}

type Path = readonly PropertyKey[]

/** Returns the value at a path, or undefined. */
export function valueAt(input: unknown, path: Path): unknown {
  let value = input
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<PropertyKey, unknown>)[name]
  }
  return value
}

/** Returns the default at this path of a value; undefined if the schema has none. */
export function defaultIn(schema: JsonSchema, input: unknown, path: readonly string[]): unknown {
  const steps = path.map((name) => (/^[0-9]+$/.test(name) ? Number(name) : name))
  return schemasAt(schema, input, steps).find((place) => place.default !== undefined)?.default
}

/** Returns the properties that an object at this path of a value can have. */
export function propertiesIn(schema: JsonSchema, input: unknown, path: Path): string[] {
  const places = schemasAt(schema, input, path).filter((place) => place.properties !== undefined)
  return [...new Set(places.flatMap((place) => Object.keys(place.properties!)))]
}

/** Describes the expected value at this path: `a whole number`, `one of singleton or keyed`. */
export function describeExpectedIn(schema: JsonSchema, input: unknown, path: Path): string {
  const words = schemasAt(schema, input, path).flatMap(inWords)
  return words.length === 0 ? 'a value' : [...new Set(words)].join(', or ')
}

function schemasAt(root: JsonSchema, input: unknown, path: Path): JsonSchema[] {
  const open = (schema: JsonSchema, value: unknown): JsonSchema[] => alternatives(root, schema, value)
  let places = open(root, input)
  path.forEach((name, depth) => {
    const value = valueAt(input, path.slice(0, depth + 1))
    places = places.flatMap((place) => child(place, name)).flatMap((place) => open(place, value))
  })
  return places
}

/** Resolves a reference: `{ "$ref": "#/$defs/ScopePath" }`. */
function resolveRef(root: JsonSchema, schema: JsonSchema): JsonSchema {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : undefined
  const definitions = root['$defs'] as Record<string, JsonSchema> | undefined
  const found = name === undefined ? undefined : definitions?.[name]
  return found === undefined ? schema : resolveRef(root, found)
}

/** Returns the variants of a schema that match the constants of the value; all if none does. */
function alternatives(root: JsonSchema, schema: JsonSchema, value: unknown): JsonSchema[] {
  const all = variants(resolveRef(root, schema)).flatMap((variant) => variants(resolveRef(root, variant)))
  const fitting = all.filter((variant) =>
    Object.entries(variant.properties ?? {}).every(
      ([name, property]) =>
        property.const === undefined || [undefined, property.const].includes(valueAt(value, [name])),
    ),
  )
  return fitting.some((variant) => variant.properties !== undefined) ? fitting : all
}

/** Returns the schema and its alternatives. */
export function variants(schema: JsonSchema): JsonSchema[] {
  return [schema, ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(variants)]
}

function child(schema: JsonSchema, name: PropertyKey): JsonSchema[] {
  if (typeof name === 'number') return schema.items === undefined ? [] : [schema.items]
  const { properties, additionalProperties } = schema
  if (properties !== undefined && Object.hasOwn(properties, name)) return [properties[String(name)]!]
  return typeof additionalProperties === 'object' ? [additionalProperties] : []
}

function inWords(schema: JsonSchema): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)]
  if (schema.enum !== undefined) return [`one of ${joinWithOr(schema.enum.map(String))}`]
  if (schema.format === 'date') return ['a date such as 2025-12-31']
  return [schema.type ?? []].flat().map(
    (type) =>
      ({
        string: 'text',
        integer: 'a whole number',
        number: 'a number',
        boolean: 'true or false',
        array: 'a list',
        object: 'an object',
        null: 'null',
      })[type] ?? type,
  )
}
