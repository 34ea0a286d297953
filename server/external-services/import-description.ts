// Imports a description: from its text to a bundle, its hash, and typed operations with their signatures.
import type { ServiceTypes } from '#kernel/components/external-service/service-types.ts'
import { signatureInWords } from '#kernel/components/external-service/service-types.ts'
import type { Sha256 } from '#kernel/change/sha256.ts'
import { bundleDescription } from './bundle-description.ts'
import { descriptionHash } from './document/canonical-description.ts'
import type { ListedOperation } from './document/operation-list.ts'
import type { JsonObject } from './json.ts'
import type { DescriptionLimits } from './read/limits.ts'
import type { DescriptionSource } from './read/read-description.ts'
import { operationStructure, signatureText } from './structure/operation-structure.ts'
import { SchemaGraph } from './structure/schema-graph.ts'
import { StructureDigests } from './structure/structure-digests.ts'
import { typeOperations } from './types/operation-types.ts'
import type { TypeWarning } from './types/schema-types.ts'
import { uncheckedPatterns } from './validate/unchecked-patterns.ts'

export interface OperationSummary {
  name: string
  /** Upper-case. */
  method: string
  path: string
  summary?: string
  deprecated: boolean
}

export interface ImportedOperation extends OperationSummary {
  /** `oas1:sha256:…` of what a caller depends on: method, path, parameters, request and responses. */
  signature: string
  /** The same for people: `getEntry(id: text) → Entry`. */
  words: string
}

export interface ImportedDescription {
  title: string
  /** The `info.version` of the description. */
  version: string
  openapi: '3.0' | '3.1'
  /** OpenAPI 3.1 with the chosen operations and what they reach; what a component carries. */
  bundle: JsonObject
  /** `oas1:sha256:…` of the bundle; the value of `spec.hash`. */
  hash: string
  /** The chosen operations, sorted by name. */
  operations: readonly ImportedOperation[]
  /** Every operation of the text, in its order, to choose from. */
  available: readonly OperationSummary[]
  types: ServiceTypes
  warnings: readonly TypeWarning[]
}

export interface ImportOptions {
  /** Names of operations; all if undefined. */
  operations?: readonly string[]
  sha256: Sha256
  limits?: DescriptionLimits
}

/**
 * Reads a text within its budget. Pure: it can run in a worker thread, and its result can be sent from there.
 * @throws AlmanacError `description.…` naming the source, the place and what to do
 */
export function importDescription(
  source: DescriptionSource,
  { operations, sha256, limits }: ImportOptions,
): ImportedDescription {
  const { version, bundle, listed, chosen } = bundleDescription(source, operations, limits)
  return { openapi: version, available: listed.map(summaryOf), ...describeBundle(bundle, chosen, sha256) }
}

function describeBundle(
  bundle: JsonObject,
  chosen: readonly ListedOperation[],
  sha256: Sha256,
): Omit<ImportedDescription, 'openapi' | 'available'> {
  const graph = new SchemaGraph(bundle)
  const digests = new StructureDigests(graph, sha256)
  const sorted = [...chosen].sort((a, b) => (a.name < b.name ? -1 : 1))
  const structures = sorted.map((each) => ({ name: each.name, structure: operationStructure(bundle, each) }))
  const { types, warnings } = typeOperations(graph, structures)
  const operations = sorted.map((each, at) => ({
    ...summaryOf(each),
    signature: `oas1:sha256:${sha256(
      signatureText(structures[at]!.structure, (schema) => digests.digestOf(graph.nodeOf(schema))),
    )}`,
    words: signatureInWords(types.operations[at]!),
  }))
  const { title, version } = infoOf(bundle)
  return {
    ...{ title, version, bundle, hash: descriptionHash(bundle, sha256), operations, types },
    warnings: [...warnings, ...uncheckedPatterns(graph)],
  }
}

function summaryOf({ name, method, path, summary, deprecated }: ListedOperation): OperationSummary {
  return { name, method: method.toUpperCase(), path, ...(summary !== undefined && { summary }), deprecated }
}

function infoOf({ info }: JsonObject): { title: string; version: string } {
  const { title, version } = (info ?? {}) as JsonObject
  return { title: String(title ?? ''), version: String(version ?? '') }
}
