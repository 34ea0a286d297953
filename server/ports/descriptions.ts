// Imported descriptions of external services, stored once for each content: a component names its own by hash.
import type { ServiceTypes } from '#kernel/components/external-service/service-types.ts'

/** An operation of a description, as the import found it. */
export interface DescribedOperation {
  name: string
  /** Upper-case. */
  method: string
  path: string
  summary?: string
  deprecated: boolean
  /** `oas1:sha256:…` of what a caller depends on. */
  signature: string
  /** The same for people: `getEntry(id: text) → Entry`. */
  words: string
}

export interface DescriptionFacts {
  /** `oas1:sha256:…` of the bundle. */
  hash: string
  title: string
  version: string
  /** Of the bundle as JSON. */
  bytes: number
  importedAt: string
  /** SHA-256 of the file that a retrieve writes. */
  fileDigest: string
  operations: readonly DescribedOperation[]
}

/** Texts are compressed: a description of a large service has many megabytes. */
export interface NewDescription extends DescriptionFacts {
  /** The bundle as JSON, compressed with zstd. */
  bundle: Uint8Array
  /** `ServiceTypes` as JSON, compressed with zstd. */
  types: Uint8Array
}

export interface DescriptionReader {
  facts(hash: string): DescriptionFacts | undefined
  /** Kept for a while: expressions need them at each compile. */
  types(hash: string): ServiceTypes | undefined
  /** The bundle as JSON. */
  bundleText(hash: string): string | undefined
}

export interface DescriptionTransactor extends DescriptionReader {
  /** Does nothing if the description is stored. */
  put(description: NewDescription): void
  /** Deletes what neither a component of any generation, a draft nor a change request names, if it is old enough. */
  deleteUnused(importedBefore: string): void
}
