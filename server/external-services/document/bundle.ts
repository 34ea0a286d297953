// Bundles the chosen operations with exactly the components that they reach. References stay; circles are fine.
import { pointer } from '#kernel/components/pointer.ts'
import { descriptionError } from '../description-error.ts'
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
import { isReferenceKind, kindAt, methods, sections, type PartKind, type ReferenceKind } from './grammar.ts'
import { baseWithin } from './identifiers.ts'
import type { ListedOperation } from './operation-list.ts'
import type { OpenapiVersion } from './openapi-version.ts'
import type { PointerReader, Target } from './pointer-reader.ts'
import { rewritePart, type Rewriter } from './rewrite.ts'
import { upgradeSchema } from './upgrade.ts'

/** A component to copy, under its name in the bundle. */
interface Needed {
  kind: ReferenceKind
  name: string
  target: Target
}

interface Bundling {
  reader: PointerReader
  version: OpenapiVersion
  /** By section and name; also the queue. */
  needed: Map<string, Needed>
  queue: Needed[]
  /** Names of copies of what is not a component, by kind and pointer. */
  copies: Map<string, string>
}

/** Returns an OpenAPI 3.1 document in which every reference is `#/components/…` and exists. */
export function bundle(
  reader: PointerReader,
  version: OpenapiVersion,
  operations: readonly ListedOperation[],
): JsonObject {
  const bundling: Bundling = { reader, version, needed: new Map(), queue: [], copies: new Map() }
  const paths = bundlePaths(operations, bundling)
  needSecuritySchemes(operations, bundling)
  const components: Record<string, Record<string, JsonValue>> = {}
  for (let next = bundling.queue.shift(); next !== undefined; next = bundling.queue.shift()) {
    const section = (components[sections[next.kind]] ??= {})
    const place = next.target.steps
    section[next.name] = rewritePart(next.target.value, next.kind, place, rewriterOf(bundling))
  }
  const { webhooks: _webhooks, tags: _tags, ...rest } = reader.document
  const tags = usedTags(reader.document, operations)
  return {
    ...rest,
    openapi: version === '3.0' ? '3.1.1' : reader.document.openapi!,
    ...(tags.length > 0 && { tags }),
    paths,
    components: Object.fromEntries(
      Object.entries(components)
        .sort()
        .map(([name, section]) => [name, sortedByName(section)]),
    ),
  }
}

const sortedByName = (section: Record<string, JsonValue>): JsonObject =>
  Object.fromEntries(Object.entries(section).sort(([a], [b]) => (a < b ? -1 : 1)))

function bundlePaths(operations: readonly ListedOperation[], bundling: Bundling): JsonObject {
  const chosen = Map.groupBy(operations, ({ path }) => path)
  const paths = [...chosen].map(([path, listed]): [string, JsonValue] => {
    const { value } = bundling.reader.pathItem(path)
    const kept = new Set<string>(listed.map(({ method }) => method))
    const item = Object.entries(value).filter(
      ([name]) => name !== '$ref' && (kept.has(name) || !(methods as readonly string[]).includes(name)),
    )
    return [path, rewritePart(Object.fromEntries(item), 'path_item', ['paths', path], rewriterOf(bundling))]
  })
  return Object.fromEntries(paths)
}

/** Rewrites the references of a part, and upgrades its schemas. */
function rewriterOf(bundling: Bundling): Rewriter {
  const { reader, version } = bundling
  const bases = [reader.base]
  return {
    name: reader.name,
    enter(part, kind, path) {
      if (kind === 'schema') {
        const base = baseWithin(part, bases.at(-1)!)
        bases.push(base)
      }
      const reference =
        memberOf(part, '$ref') ?? (kind === 'schema' ? memberOf(part, '$dynamicRef') : undefined)
      if (typeof reference !== 'string' || !isReferenceKind(kind)) return part
      const place = { pointer: pointer(...path), base: bases.at(-1)! }
      const local = localReference(reference, kind, place, bundling)
      if (kind !== 'schema') return { ...beside(part), $ref: local }
      const { $dynamicRef: _dynamic, ...rest } = part
      return { ...rest, $ref: local }
    },
    leave(part, kind) {
      if (kind !== 'schema') return part
      return withMappedNames(version === '3.0' ? upgradeSchema(part) : withoutIdentifiers(part), bundling)
    },
    exit(_part, kind) {
      if (kind === 'schema') bases.pop()
    },
  }
}

/** Only these have a meaning beside a reference that is not a schema. */
function beside({ summary, description }: JsonObject): JsonObject {
  return { ...(summary !== undefined && { summary }), ...(description !== undefined && { description }) }
}

const identifiers = ['$id', '$anchor', '$dynamicAnchor', '$schema']

/** Every reference is a pointer now; an identifier would only change what it is relative to. */
function withoutIdentifiers(schema: JsonObject): JsonObject {
  if (!identifiers.some((name) => Object.hasOwn(schema, name))) return schema
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !identifiers.includes(name)))
}

function localReference(
  reference: string,
  kind: ReferenceKind,
  place: { pointer: string; base: string },
  bundling: Bundling,
): string {
  const target = bundling.reader.find(reference, place)
  const { steps } = target
  const found = kindAt('document', steps)
  if (found !== null && found !== kind)
    throw descriptionError(
      'description.invalid',
      `${place.pointer} in ${bundling.reader.name} must be a ${words(kind)}, but "${reference}" is a ${words(found)}. Correct the reference.`,
      { pointer: place.pointer },
    )
  if (steps[0] !== 'components' || steps.length < 3 || found === null)
    return fragment(['components', sections[kind], copyName(kind, target, bundling)])
  const [, , name] = steps
  const owner = kindAt('document', steps.slice(0, 3)) as ReferenceKind
  const value = objectIn(objectIn(bundling.reader.document, 'components'), sections[owner])[name!]!
  need({ kind: owner, name: name!, target: { value, steps: steps.slice(0, 3) } }, bundling)
  return fragment(steps)
}

/** A pointer as a reference. Other characters are tolerated there as they are. */
const fragment = (steps: readonly string[]): string => `#${pointer(...steps).replaceAll('%', '%25')}`

const words = (kind: PartKind): string => kind.replaceAll('_', ' ')

function need(needed: Needed, { needed: all, queue }: Bundling): void {
  const id = `${sections[needed.kind]}/${needed.name}`
  if (all.has(id)) return
  all.set(id, needed)
  queue.push(needed)
}

/** Copies what a reference finds elsewhere, such as in a path, to "components", once. */
function copyName(kind: ReferenceKind, target: Target, bundling: Bundling): string {
  const place = `${kind} ${pointer(...target.steps)}`
  const known = bundling.copies.get(place)
  if (known !== undefined) return known
  const wanted = target.steps.join('_').replaceAll(/[^A-Za-z0-9._-]+/g, '_') || 'document'
  const taken = objectIn(objectIn(bundling.reader.document, 'components'), sections[kind])
  let name = wanted
  for (
    let count = 2;
    Object.hasOwn(taken, name) || bundling.needed.has(`${sections[kind]}/${name}`);
    count += 1
  )
    name = `${wanted}_${count}`
  bundling.copies.set(place, name)
  need({ kind, name, target }, bundling)
  return name
}

/** The mapping of a discriminator names schemas, which the operation reaches too. */
function withMappedNames(schema: JsonObject, bundling: Bundling): JsonObject {
  const discriminator = memberOf(schema, 'discriminator')
  if (!isObject(discriminator)) return schema
  const mapping = objectIn(discriminator, 'mapping')
  for (const target of Object.values(mapping)) {
    if (typeof target !== 'string') continue
    const name = target.startsWith('#/components/schemas/') ? target.slice(21) : target
    const value = memberOf(objectIn(objectIn(bundling.reader.document, 'components'), 'schemas'), name)
    if (value !== undefined)
      need({ kind: 'schema', name, target: { value, steps: ['components', 'schemas', name] } }, bundling)
  }
  return schema
}

function needSecuritySchemes(operations: readonly ListedOperation[], bundling: Bundling): void {
  const { document } = bundling.reader
  const requirements = [document, ...operations.map(({ operation }) => operation)].flatMap((part) =>
    listIn(part, 'security'),
  )
  const schemes = objectIn(objectIn(document, 'components'), 'securitySchemes')
  for (const requirement of requirements)
    for (const name of isObject(requirement) ? Object.keys(requirement) : []) {
      const value = memberOf(schemes, name)
      if (value === undefined) continue
      const target = { value, steps: ['components', 'securitySchemes', name] }
      need({ kind: 'security_scheme', name, target }, bundling)
    }
}

function usedTags(document: JsonObject, operations: readonly ListedOperation[]): JsonValue[] {
  const used = new Set(operations.flatMap(({ operation }) => listIn(operation, 'tags')))
  const tags = memberOf(document, 'tags')
  if (!isList(tags)) return []
  return tags.filter((tag) => isObject(tag) && used.has(textIn(tag, 'name') ?? ''))
}
