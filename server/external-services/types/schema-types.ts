// The type of a schema: JSON Schema describes sets of values, of which expressions can name only some.
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
import type { ResolvedSchema, SchemaGraph } from '../structure/schema-graph.ts'
import type {
  ServiceMember,
  ServiceObject,
  ServiceType,
} from '#kernel/components/external-service/service-types.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { unionOf } from './union-type.ts'

export interface TypeWarning {
  /** Where the value is: `createEntry request body/lines[]`. */
  place: string
  message: string
}

const plain: Readonly<Record<string, ServiceType>> = {
  ...{ string: { kind: 'text' }, number: { kind: 'decimal' }, boolean: { kind: 'boolean' } },
  ...{ integer: { kind: 'decimal', integer: true }, null: { kind: 'absent' } },
} satisfies Record<string, ServiceType>

const byFormat: Readonly<Record<string, ServiceType>> = {
  ...{ date: { kind: 'date' }, 'date-time': { kind: 'datetime' } },
  ...{ decimal: { kind: 'decimal', wire: 'text' }, int64: { kind: 'decimal', wire: 'text', integer: true } },
  ...{
    uint64: { kind: 'decimal', wire: 'text', integer: true },
    decimal128: { kind: 'decimal', wire: 'text' },
  },
} satisfies Record<string, ServiceType>

/** Where a schema is converted, and what it is called. */
interface Site {
  /** The schema that is being converted, behind its references. */
  self: JsonObject
  name: string
  place: string
  nullable: boolean
}

/** Names that the declarations of a service use for something else. */
const reservedNames = new Set(['Operations', 'DecimalText', 'DateText', 'DateTimeText'])

/** Lists of lists and choices of choices. */
const mostDepth = 100

const listOfAny: ServiceType = { kind: 'list', of: { kind: 'dyn' } }

export class SchemaTypes {
  readonly objects: Record<string, ServiceObject> = {}
  readonly warnings: TypeWarning[] = []
  readonly #graph: SchemaGraph
  /** The types found so far; null while one is being found. */
  readonly #types = new Map<ResolvedSchema, ServiceType | null>()
  readonly #componentNames: ReadonlyMap<JsonValue, string>
  /** Members of objects are typed one object after the other: chains of objects can be longer than any stack. */
  readonly #queue: (() => void)[] = []
  #depth = 0

  constructor(graph: SchemaGraph, componentNames: ReadonlyMap<JsonValue, string>) {
    this.#graph = graph
    this.#componentNames = componentNames
  }

  /** @param name for an object type, if the schema is not a component with a name of its own */
  typeOf(schema: JsonValue, name: string, place: string): ServiceType {
    const type = this.#typeOf(schema, name, place)
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) next()
    return type
  }

  #typeOf(schema: JsonValue, name: string, place: string): ServiceType {
    const resolved = this.#graph.resolve(schema)
    const known = this.#types.get(resolved)
    if (known !== undefined) return known ?? this.#dyn(place, 'contains only itself')
    if (typeof resolved === 'boolean') return resolved ? { kind: 'dyn' } : { kind: 'absent' }
    if (this.#depth >= mostDepth) return this.#dyn(place, 'is nested too deeply')
    this.#depth += 1
    this.#types.set(resolved, null)
    const site = { self: resolved, name: this.#componentNames.get(resolved) ?? name, place, nullable: false }
    const type = this.#convert(resolved, site)
    this.#types.set(resolved, type)
    this.#depth -= 1
    return type
  }

  #convert(schema: JsonObject, site: Site): ServiceType {
    const whole = mergeSchemas(schema, this.#graph)
    if (whole === null) return this.#dyn(site.place, 'combines schemas that have no common type')
    const choices = [...listIn(whole, 'oneOf'), ...listIn(whole, 'anyOf')]
    if (choices.length > 0) return this.#choice(whole, choices, site)
    const types = typesOf(whole)
    const nullable = types.includes('null') && types.length > 1
    const present = types.filter((each) => each !== 'null' || types.length === 1)
    const type = this.#single(whole, present, { ...site, nullable })
    return nullable ? withNull(type) : type
  }

  #choice(whole: JsonObject, choices: readonly JsonValue[], site: Site): ServiceType {
    const { oneOf: _one, anyOf: _any, ...rest } = whole
    // An object with members of its own beside the choice has those at least.
    if (typesOf(rest).includes('object') && Object.keys(objectIn(rest, 'properties')).length > 0)
      return this.#object(rest, site, { kind: 'dyn' })
    const { name, place } = site
    const union = unionOf(choices.map((choice, at) => this.#typeOf(choice, `${name}${at + 1}`, place)))
    if (union === null) return this.#dyn(place, 'is one of several types')
    const rejectsNull = Object.hasOwn(rest, 'type') && !typesOf(rest).includes('null')
    return rejectsNull ? withoutNull(union) : union
  }

  #single(schema: JsonObject, types: readonly string[], site: Site): ServiceType {
    const [type] = types
    const { name, place } = site
    if (types.length > 1) {
      const union = unionOf(types.map((each) => this.#single(schema, [each], site)))
      return union ?? this.#dyn(place, `is ${types.join(' or ')}`)
    }
    switch (type) {
      case undefined:
        return { kind: 'dyn' }
      case 'object':
        return this.#object(schema, site, null)
      case 'array': {
        const items = memberOf(schema, 'items')
        if (items === undefined || Object.hasOwn(schema, 'prefixItems')) return listOfAny
        return { kind: 'list', of: this.#typeOf(items, `${name}Item`, `${place}[]`) }
      }
      case 'string':
        return textType(schema)
      default:
        return plain[type] ?? this.#dyn(place, `has the unknown type "${type}"`)
    }
  }

  /** @param others of an object whose further members depend on a choice */
  #object(schema: JsonObject, site: Site, others: ServiceType | null): ServiceType {
    const properties = objectIn(schema, 'properties')
    const keys = Object.keys(properties)
    const rest = memberOf(schema, 'additionalProperties')
    if (keys.length === 0 && !isObject(rest)) return { kind: 'dyn' }
    const name = this.#freeName(site.name)
    const type: ServiceType = { kind: 'object', name }
    // Known before its members are: a tree has members of its own type.
    this.#types.set(site.self, site.nullable ? withNull(type) : type)
    const members: ServiceMember[] = []
    const description = textIn(schema, 'description')
    const object = { members, others, ...(description !== undefined && { description }) }
    this.objects[name] = object
    const required = new Set(listIn(schema, 'required'))
    this.#queue.push(() => {
      // Sorted, so that generated types are the same in any order of the description.
      for (const key of keys.sort())
        members.push(
          this.#member(key, properties[key]!, required.has(key), `${name}_${key}`, `${site.place}/${key}`),
        )
      if (isObject(rest)) object.others ??= this.#typeOf(rest, `${name}Value`, `${site.place}/*`)
    })
    return type
  }

  #member(key: string, schema: JsonValue, required: boolean, name: string, place: string): ServiceMember {
    const type = this.#typeOf(schema, name, place)
    const resolved = this.#graph.resolve(schema)
    const parts = [schema, resolved].filter(isObject)
    const isOnly = (flag: string): boolean => parts.some((part) => part[flag] === true)
    const only = isOnly('readOnly') ? 'response' : isOnly('writeOnly') ? 'request' : undefined
    const description = parts.map((part) => textIn(part, 'description')).find((text) => text !== undefined)
    return { key, type, required, ...(only && { only }), ...(description !== undefined && { description }) }
  }

  #freeName(wanted: string): string {
    const base =
      wanted.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next?: string) => next?.toUpperCase() ?? '') || 'Value'
    const name = /^[0-9]/.test(base) ? `_${base}` : base[0]!.toUpperCase() + base.slice(1)
    let free = name
    for (let count = 2; reservedNames.has(free) || Object.hasOwn(this.objects, free); count += 1)
      free = `${name}${count}`
    return free
  }

  /** Records why a value has no type. */
  warn(place: string, reason: string): void {
    this.warnings.push({ place, message: `${place} ${reason}, so expressions cannot check it.` })
  }

  #dyn(place: string, reason: string): ServiceType {
    this.warn(place, reason)
    return { kind: 'dyn' }
  }
}

/** The types that a schema allows; those that its keywords imply if it names none. */
function typesOf(schema: JsonObject): string[] {
  const type = memberOf(schema, 'type')
  if (typeof type === 'string') return [type]
  if (isList(type)) return type.filter((each) => typeof each === 'string')
  if (Object.hasOwn(schema, 'properties') || isObject(memberOf(schema, 'additionalProperties')))
    return ['object']
  if (Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems')) return ['array']
  const values = [...listIn(schema, 'enum'), ...(Object.hasOwn(schema, 'const') ? [schema.const!] : [])]
  return [...new Set(values.map(typeOfValue))]
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null'
  if (isList(value)) return 'array'
  return typeof value
}

function textType(schema: JsonObject): ServiceType {
  const constant = memberOf(schema, 'const')
  const values = [...listIn(schema, 'enum'), constant].filter((value) => typeof value === 'string')
  if (values.length > 0) return { kind: 'text', values: [...new Set(values)] }
  return byFormat[textIn(schema, 'format') ?? ''] ?? { kind: 'text' }
}

function withNull(type: ServiceType): ServiceType {
  return type.kind === 'dyn' || type.kind === 'absent' ? type : { ...type, nullable: true }
}

function withoutNull({ nullable: _nullable, ...type }: ServiceType): ServiceType {
  return type as ServiceType
}
