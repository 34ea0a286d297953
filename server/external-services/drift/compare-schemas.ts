// Compares two schemas of different descriptions place by place, through references and circles.
import { canonicalJson } from '#kernel/change/canonical.ts'
import { sortedSet } from '../document/canonical-description.ts'
import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts'
import type { ResolvedSchema, SchemaGraph } from '../structure/schema-graph.ts'
import type { StructureDigests } from '../structure/structure-digests.ts'
import { schemaParts } from '../structure/schema-parts.ts'

export interface StructureChange {
  /** Where, for people: `request body /customer/name`, `response 200`, `parameter limit (query)`. */
  place: string
  /** A keyword of JSON Schema, or `member`, `schema`, `parameter`, `body`, `response`, `method`, `path`. */
  what: string
  /** Undefined if it is new. */
  before?: string
  /** Undefined if it was removed. */
  after?: string
}

/** One of the two descriptions. */
export interface Side {
  graph: SchemaGraph
  digests: StructureDigests
}

export interface Comparison {
  before: Side
  after: Side
  changes: StructureChange[]
  /** Pairs of one part of the operation that are compared, or will be. */
  passed: Set<string>
  /** A queue instead of recursion: chains of references can be longer than any stack. */
  queue: (readonly [before: JsonObject, after: JsonObject, place: string])[]
}

/** Starts a comparison without changes. */
export function compare(before: Side, after: Side): Comparison {
  return { before, after, changes: [], passed: new Set(), queue: [] }
}

/** A few more than anyone reads; a description that was replaced differs everywhere. */
export const mostChanges = 100

/** Adds the changes of two schemas and of everything below them. */
export function compareSchemas(
  before: JsonValue,
  after: JsonValue,
  place: string,
  comparison: Comparison,
): void {
  // A schema that request and response share is named in both.
  comparison.passed.clear()
  enqueue(before, after, place, comparison)
  for (let next = comparison.queue.shift(); next !== undefined; next = comparison.queue.shift())
    compareParts(...next, comparison)
}

function enqueue(before: JsonValue, after: JsonValue, place: string, comparison: Comparison): void {
  const [old, new_] = [comparison.before, comparison.after].map(({ graph, digests }, side) => {
    const node = graph.nodeOf(side === 0 ? before : after)
    return { node, digest: digests.digestOf(node), schema: graph.schemas[node]! }
  }) as [Resolved, Resolved]
  if (old.digest === new_.digest || comparison.changes.length > mostChanges) return
  const pair = `${old.node} ${new_.node}`
  if (comparison.passed.has(pair)) return
  comparison.passed.add(pair)
  if (!isObject(old.schema) || !isObject(new_.schema)) {
    comparison.changes.push({
      place,
      what: 'schema',
      before: wordsOf(old.schema),
      after: wordsOf(new_.schema),
    })
    return
  }
  comparison.queue.push([old.schema, new_.schema, place])
}

interface Resolved {
  node: number
  digest: string
  schema: ResolvedSchema
}

function compareParts(before: JsonObject, after: JsonObject, place: string, comparison: Comparison): void {
  const [old, new_] = [schemaParts(before), schemaParts(after)]
  const [oldFacts, newFacts] = [new Map(old.facts), new Map(new_.facts)]
  for (const keyword of new Set([...oldFacts.keys(), ...newFacts.keys()]))
    compareFact(keyword, oldFacts.get(keyword), newFacts.get(keyword), place, comparison)
  const [oldLabels, newLabels] = alignChoices(new Map(old.children), new Map(new_.children), comparison)
  for (const label of new Set([...oldLabels.keys(), ...newLabels.keys()])) {
    const [was, is] = [oldLabels.get(label), newLabels.get(label)]
    const at = placeBelow(place, label)
    if (was !== undefined && is !== undefined) enqueue(was, is, at, comparison)
    else if (was !== undefined)
      comparison.changes.push({
        place: at,
        what: memberWord(label),
        before: described(was, comparison.before),
      })
    else if (is !== undefined)
      comparison.changes.push({ place: at, what: memberWord(label), after: described(is, comparison.after) })
  }
}

function compareFact(
  keyword: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: string,
  { changes }: Comparison,
): void {
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return
  if ((keyword === 'required' || keyword === 'enum') && isSet(before) && isSet(after)) {
    const [was, is] = [texts(before), texts(after)]
    const removed = was.filter((text) => !is.includes(text))
    const added = is.filter((text) => !was.includes(text))
    changes.push({ place, what: keyword, before: listed(removed), after: listed(added) })
    return
  }
  changes.push({ place, what: keyword, before: factText(before), after: factText(after) })
}

const isSet = (value: JsonValue | undefined): value is readonly JsonValue[] | undefined =>
  value === undefined || isList(value)

const texts = (value: readonly JsonValue[] | undefined): string[] =>
  (value ?? []).map((item) => factText(item)!)

const listed = (items: readonly string[]): string | undefined =>
  items.length === 0 ? undefined : items.join(', ')

function factText(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  if (isList(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return canonicalJson(value)
}

/**
 * The order of choices has no meaning: equal ones are removed from both sides, the others are compared in their order.
 */
function alignChoices(
  before: Map<string, JsonValue>,
  after: Map<string, JsonValue>,
  { before: old, after: new_ }: Comparison,
): [Map<string, JsonValue>, Map<string, JsonValue>] {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const [was, is] = [choicesOf(before, keyword, old), choicesOf(after, keyword, new_)]
    for (const [digest, labels] of was)
      for (const label of is.get(digest)?.slice(0, labels.length) ?? []) {
        before.delete(labels.shift()!)
        after.delete(label)
      }
    renumber(before, keyword)
    renumber(after, keyword)
  }
  return [before, after]
}

function choicesOf(
  children: ReadonlyMap<string, JsonValue>,
  keyword: string,
  side: Side,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [label, schema] of children) {
    if (!label.startsWith(`${keyword}/`)) continue
    const digest = side.digests.digestOf(side.graph.nodeOf(schema))
    found.set(digest, [...(found.get(digest) ?? []), label])
  }
  return found
}

function renumber(children: Map<string, JsonValue>, keyword: string): void {
  const choices = [...children].filter(([label]) => label.startsWith(`${keyword}/`))
  for (const [label] of choices) children.delete(label)
  choices.forEach(([, schema], at) => children.set(`${keyword}/${at}`, schema))
}

/** Steps for people: members by name, items as `[]`, choices by number. */
export function placeBelow(place: string, label: string): string {
  const at = label.indexOf('/')
  const [keyword, rest] = at === -1 ? [label, ''] : [label.slice(0, at), label.slice(at + 1)]
  switch (keyword) {
    case 'properties':
      return `${place} /${rest}`.replace(/(\/\S*) \//, '$1/')
    case 'items':
      return `${place}[]`
    case 'additionalProperties':
      return `${place} /*`.replace(/(\/\S*) \//, '$1/')
    case '$ref':
      return place
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return `${place} (${keyword} ${Number(rest) + 1})`
    default:
      return `${place} (${label.replace('/', ' ')})`
  }
}

const memberWord = (label: string): string => (label.startsWith('properties/') ? 'member' : 'schema')

function wordsOf(schema: ResolvedSchema): string {
  if (schema === true) return 'any value'
  return schema === false ? 'no value' : described(schema, null)
}

/** A schema in a few words: its types, its values, or the keywords that it has. */
function described(schema: JsonValue, side: Side | null): string {
  const resolved = side === null ? schema : side.graph.resolve(schema)
  if (!isObject(resolved)) return resolved === false ? 'no value' : 'any value'
  const { type, format } = resolved
  const types = isList(type) ? sortedSet(type).join(' or ') : typeof type === 'string' ? type : ''
  const text = types === '' ? Object.keys(resolved).slice(0, 3).join(', ') || 'any value' : types
  return typeof format === 'string' ? `${text} (${format})` : text
}
