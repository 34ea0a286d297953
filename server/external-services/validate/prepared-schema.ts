// One schema of a bundle, read once for checking: what is malformed in it checks nothing.
import { canonicalJson } from '#kernel/change/canonical.ts'
import { isList, isObject, memberOf, objectIn, textIn, type JsonObject, type JsonValue } from '../json.ts'
import { resolveReference } from '../document/resolve.ts'
import { formatCheck, type FormatCheck } from './formats.ts'
import { patternMatcher, type PatternMatcher } from './pattern-engine.ts'

/** Requests leave out what is read-only, responses what is write-only, even if it is required. */
export type Direction = 'request' | 'response'

export type Schema = JsonObject | boolean

export interface PreparedSchema {
  /** What one use of it costs. */
  cost: number
  types: readonly string[] | null
  /** Canonical texts of the allowed values. */
  values: ReadonlySet<string> | null
  /** For messages. */
  valueList: readonly JsonValue[]
  format: FormatCheck | null
  pattern: PatternMatcher | null
  /** `minLength` and the like. */
  limits: Readonly<Partial<Record<LimitName, number>>>
  unique: boolean
  required: readonly string[]
  dependentRequired: readonly (readonly [string, readonly string[]])[]
  properties: ReadonlyMap<string, Schema>
  /** Null if a pattern cannot be checked: then it is not known which members are additional. */
  patterns: readonly (readonly [PatternMatcher, Schema])[] | null
  prefixItems: readonly Schema[]
  dependentSchemas: readonly (readonly [string, Schema])[]
  /** `items`, `not` and the like. */
  single: Readonly<Partial<Record<SingleName, Schema>>>
  lists: Readonly<Record<'allOf' | 'anyOf' | 'oneOf', readonly Schema[]>>
  reference: Schema | null
}

const limitNames = [
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
  ...(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
  ...(['minContains', 'maxContains'] as const),
]
export type LimitName = (typeof limitNames)[number]

const singleNames = [
  ...([
    'additionalProperties',
    'propertyNames',
    'unevaluatedProperties',
    'items',
    'unevaluatedItems',
  ] as const),
  ...(['contains', 'not', 'if', 'then', 'else'] as const),
]
export type SingleName = (typeof singleNames)[number]

export function prepareSchema(schema: JsonObject, bundle: JsonObject, direction: Direction): PreparedSchema {
  const values = valuesOf(schema)
  const reference = textIn(schema, '$ref')
  return {
    cost: 1 + Object.keys(schema).length,
    types: typesOf(schema),
    values: values && new Set(values.map((value) => canonicalJson(value))),
    valueList: values ?? [],
    format: formatCheck(textIn(schema, 'format'), schema.type),
    pattern: patternMatcher(textIn(schema, 'pattern')),
    limits: Object.fromEntries(limitNames.flatMap((name) => limitOf(name, memberOf(schema, name)))),
    unique: schema.uniqueItems === true,
    required: textsOf(memberOf(schema, 'required')).filter(
      (name) => !isOmitted(name, schema, bundle, direction),
    ),
    dependentRequired: Object.entries(objectIn(schema, 'dependentRequired')).map(([name, list]) => [
      name,
      textsOf(list),
    ]),
    properties: new Map(schemasOf(memberOf(schema, 'properties'))),
    patterns: patternsOf(schema),
    prefixItems: listOf(memberOf(schema, 'prefixItems')),
    dependentSchemas: schemasOf(memberOf(schema, 'dependentSchemas')),
    single: Object.fromEntries(
      singleNames.flatMap((name) => {
        const value = memberOf(schema, name)
        return isSchema(value) ? [[name, value]] : []
      }),
    ),
    lists: {
      allOf: listOf(memberOf(schema, 'allOf')),
      anyOf: listOf(memberOf(schema, 'anyOf')),
      oneOf: listOf(memberOf(schema, 'oneOf')),
    },
    reference: reference === undefined ? null : schemaAt(bundle, reference),
  }
}

function typesOf({ type }: JsonObject): readonly string[] | null {
  const types = isList(type) ? textsOf(type) : typeof type === 'string' ? [type] : []
  return types.length === 0 ? null : types
}

function valuesOf(schema: JsonObject): readonly JsonValue[] | null {
  if (Object.hasOwn(schema, 'const')) {
    const values = memberOf(schema, 'enum')
    const constant = canonicalJson(schema.const!)
    const isAllowed = !isList(values) || values.some((value) => canonicalJson(value) === constant)
    return isAllowed ? [schema.const!] : []
  }
  const values = memberOf(schema, 'enum')
  return isList(values) ? values : null
}

function limitOf(name: LimitName, value: JsonValue | undefined): [LimitName, number][] {
  if (typeof value !== 'number') return []
  const isCount = /(Length|Items|Properties|Contains)$/.test(name)
  if (isCount ? !Number.isInteger(value) || value < 0 : name === 'multipleOf' && value <= 0) return []
  return [[name, value]]
}

function textsOf(value: JsonValue | undefined): string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : []
}

const isSchema = (value: JsonValue | undefined): value is Schema =>
  typeof value === 'boolean' || isObject(value)

function listOf(value: JsonValue | undefined): Schema[] {
  return isList(value) ? value.filter(isSchema) : []
}

function schemasOf(value: JsonValue | undefined): [string, Schema][] {
  if (!isObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1]))
}

function patternsOf(schema: JsonObject): [PatternMatcher, Schema][] | null {
  const patterns: [PatternMatcher, Schema][] = []
  for (const [pattern, below] of schemasOf(memberOf(schema, 'patternProperties'))) {
    const matcher = patternMatcher(pattern)
    if (matcher === null) return null
    patterns.push([matcher, below])
  }
  return patterns
}

function schemaAt(bundle: JsonObject, reference: string): Schema {
  const target = resolveReference(bundle, reference)
  return isSchema(target) ? target : true
}

/** Whether a required member belongs to the other direction only. */
function isOmitted(name: string, schema: JsonObject, bundle: JsonObject, direction: Direction): boolean {
  const property = memberOf(objectIn(schema, 'properties'), name)
  if (!isObject(property)) return false
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly'
  if (property[flag] === true) return true
  const target = typeof property.$ref === 'string' ? schemaAt(bundle, property.$ref) : false
  return isObject(target) && target[flag] === true
}
