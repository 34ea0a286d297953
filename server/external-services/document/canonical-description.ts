// The canonical form of a bundle and its hash. `oas1` names the recipe (docs/reference/external-services.md).
import { canonicalJson } from '#kernel/change/canonical.ts'
import type { Sha256 } from '#kernel/change/sha256.ts'
import { isList, isObject, memberOf, type JsonObject, type JsonValue } from '../json.ts'
import type { PartKind } from './grammar.ts'
import { rewritePart } from './rewrite.ts'

/**
 * Returns `oas1:sha256:<64 hexadecimal digits>` of a bundle. The order of keys and of lists without a meaningful order,
 * `servers`, `security` and the security schemes do not count.
 */
export function descriptionHash(bundle: JsonObject, sha256: Sha256): string {
  return `oas1:sha256:${sha256(canonicalJson(canonicalDescription(bundle)))}`
}

function canonicalDescription(bundle: JsonObject): JsonValue {
  return rewritePart(bundle, 'document', [], { name: 'the description', leave: canonicalPart })
}

const ignored: Partial<Record<PartKind, readonly string[]>> = {
  document: ['openapi', 'servers', 'security'],
  components: ['securitySchemes'],
  path_item: ['servers'],
  operation: ['servers', 'security'],
  link: ['server'],
}

/** Lists that OpenAPI and JSON Schema define as sets. */
const sets: Partial<Record<PartKind, readonly string[]>> = {
  path_item: ['parameters'],
  operation: ['parameters', 'tags'],
  schema: ['required', 'enum', 'type'],
}

function canonicalPart(part: JsonObject, kind: PartKind): JsonObject {
  const dropped = (ignored[kind] ?? []).filter((name) => Object.hasOwn(part, name))
  const sorted = (sets[kind] ?? []).filter((name) => isList(memberOf(part, name)))
  const dependent = kind === 'schema' ? memberOf(part, 'dependentRequired') : undefined
  if (dropped.length === 0 && sorted.length === 0 && !isObject(dependent)) return part
  const draft: Record<string, JsonValue> = { ...part }
  for (const name of dropped) delete draft[name]
  for (const name of sorted) draft[name] = sortedSet(part[name] as readonly JsonValue[])
  if (isObject(dependent))
    draft.dependentRequired = Object.fromEntries(
      Object.entries(dependent).map(([name, list]) => [name, isList(list) ? sortedSet(list) : list]),
    )
  return draft
}

/** Sorts by the canonical text of the items. */
export function sortedSet(items: readonly JsonValue[]): JsonValue[] {
  if (items.every((item) => typeof item === 'string')) return [...items].sort()
  return items
    .map((item) => [canonicalJson(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item)
}
