// The schema of one request or response with everything that it reaches, and nothing else: what a validator compiles.
import { schemaParts } from '../structure/schema-parts.ts'
import { isObject, memberOf, type JsonObject, type JsonValue } from '../json.ts'
import { resolveReference } from '../document/resolve.ts'
import { checkedFormat } from './formats.ts'
import { isSupportedPattern } from './pattern-engine.ts'

export type Direction = 'request' | 'response'

export interface SelfContainedSchema {
  schema: JsonObject
  /** Patterns that are not checked, because they need more than a linear engine has. */
  unchecked: readonly string[]
}

/** The most keywords and schemas that one validator is compiled from. */
export const mostSchemaParts = 200_000

interface Build {
  bundle: JsonObject
  direction: Direction
  /** By reference: the number of its definition. */
  definitions: Map<string, number>
  queue: string[]
  parts: number
  unchecked: Set<string>
}

/**
 * @param schema of a bundle
 * @throws RangeError if it reaches more than a validator should be compiled from
 */
export function selfContainedSchema(
  bundle: JsonObject,
  schema: JsonValue,
  direction: Direction,
): SelfContainedSchema {
  const build: Build = {
    bundle,
    direction,
    definitions: new Map(),
    queue: [],
    parts: 0,
    unchecked: new Set(),
  }
  const root = write(schema, build)
  const definitions: Record<string, JsonValue> = { root }
  for (let next = build.queue.shift(); next !== undefined; next = build.queue.shift())
    definitions[`s${build.definitions.get(next)!}`] = write(resolveReference(bundle, next) ?? true, build)
  return { schema: { $ref: '#/$defs/root', $defs: definitions }, unchecked: [...build.unchecked] }
}

function write(schema: JsonValue, build: Build): JsonValue {
  const before = build.parts
  if (!isObject(schema)) return schema !== false
  const written = writeSchema(schema, build)
  // Everything of a definition that one value can run through; counted before it runs.
  return { spend: build.parts - before + 1, ...written }
}

function writeSchema(schema: JsonObject, build: Build): JsonObject {
  const { facts, children } = schemaParts(schema)
  build.parts += 1 + facts.length
  if (build.parts > mostSchemaParts)
    throw new RangeError(
      `The schema has more than ${mostSchemaParts} parts, so values of it are not checked.`,
    )
  const out: Record<string, JsonValue> = {}
  for (const [keyword, value] of facts) writeFact(keyword, value, schema, build, out)
  for (const [label, child] of children) writeChild(label, child, schema, build, out)
  return out
}

function writeFact(
  keyword: string,
  value: JsonValue,
  schema: JsonObject,
  build: Build,
  out: Record<string, JsonValue>,
): void {
  if (!isValid(keyword, value)) return
  if (keyword === 'pattern') {
    if (isSupportedPattern(value as string)) out[keyword] = value
    else build.unchecked.add(value as string)
  } else if (keyword === 'required') {
    const sent = (value as string[]).filter((name) => !isAbsent(name, schema, build))
    if (sent.length > 0) out[keyword] = sent
  } else if (keyword === 'format') {
    const format = checkedFormat(value as string, schema.type)
    if (format !== null) out.format = format
  } else if (keyword === 'uniqueItems') out.distinctItems = value
  else if (keyword !== 'readOnly' && keyword !== 'writeOnly') out[keyword] = value
  if (keyword === 'enum') build.parts += (value as JsonValue[]).length
}

/** A required member that only the other direction has. */
function isAbsent(name: string, schema: JsonObject, { bundle, direction }: Build): boolean {
  const properties = memberOf(schema, 'properties')
  const property = isObject(properties) ? memberOf(properties, name) : undefined
  if (property === undefined || !isObject(property)) return false
  const target = typeof property.$ref === 'string' ? resolveReference(bundle, property.$ref) : null
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly'
  return property[flag] === true || (isObject(target) && target[flag] === true)
}

const loops = new Set([
  'items',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
])

function writeChild(
  label: string,
  child: JsonValue,
  schema: JsonObject,
  build: Build,
  out: Record<string, JsonValue>,
): void {
  if (label === '$ref') {
    out.$ref = definitionOf(schema.$ref as string, build)
    return
  }
  const at = label.indexOf('/')
  const [keyword, name] = at === -1 ? [label, ''] : [label.slice(0, at), label.slice(at + 1)]
  if (keyword === 'contentSchema') return
  if (keyword === 'patternProperties' && !isSupportedPattern(name)) {
    build.unchecked.add(name)
    // Which members are additional cannot be said either.
    delete out.additionalProperties
    return
  }
  const written = isLoop(keyword) ? write(child, build) : inner(child, build)
  if (at === -1) {
    if (keyword !== 'additionalProperties' || !hasUncheckedNames(schema)) out[keyword] = written
  } else if (Array.isArray(memberOf(schema, keyword)))
    ((out[keyword] ??= []) as JsonValue[])[Number(name)] = written
  else ((out[keyword] ??= {}) as Record<string, JsonValue>)[name] = written
}

const isLoop = (keyword: string): boolean =>
  loops.has(keyword) || keyword === 'patternProperties' || keyword === 'propertyNames'

function hasUncheckedNames(schema: JsonObject): boolean {
  const patterns = memberOf(schema, 'patternProperties')
  return isObject(patterns) && Object.keys(patterns).some((pattern) => !isSupportedPattern(pattern))
}

function inner(schema: JsonValue, build: Build): JsonValue {
  return isObject(schema) ? writeSchema(schema, build) : schema !== false
}

function definitionOf(reference: string, build: Build): string {
  let number = build.definitions.get(reference)
  if (number === undefined) {
    number = build.definitions.size
    build.definitions.set(reference, number)
    build.queue.push(reference)
  }
  return `#/$defs/s${number}`
}

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])
const isCount = (value: JsonValue): boolean => Number.isInteger(value) && (value as number) >= 0
const isTexts = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Values of keywords that do not have the form of the standard are not checked by. */
function isValid(keyword: string, value: JsonValue): boolean {
  if (keyword === 'type')
    return (
      isTexts(value) && (value as string[]).length > 0 && (value as string[]).every((type) => types.has(type))
    )
  if (/^(min|max)(Length|Items|Properties|Contains)$/.test(keyword)) return isCount(value)
  if (/^(exclusiveM|m)(ini|axi)mum$/.test(keyword)) return typeof value === 'number'
  if (keyword === 'multipleOf') return typeof value === 'number' && value > 0
  if (keyword === 'pattern' || keyword === 'format') return typeof value === 'string'
  if (keyword === 'required') return isTexts(value)
  if (keyword === 'enum') return Array.isArray(value) && value.length > 0
  if (keyword === 'dependentRequired') return isObject(value) && Object.values(value).every(isTexts)
  return true
}
