// External services as their page shows them.
import type { ServiceObject, ServiceOperation } from '#kernel/components/external-service/service-types.ts'

export interface ServiceOperationRow {
  name: string
  method: string
  path: string
  summary: string | null
  deprecated: boolean
  /** `getEntry(id: text) → Entry` */
  words: string
  /** Whether the caller can call it. */
  canCall: boolean
}

export interface ServiceView {
  service: string
  label: string
  namedCredential: string
  /** Null if the description is not imported. */
  description: { hash: string; title: string; version: string; bytes: number; importedAt: string } | null
  operations: ServiceOperationRow[]
}

/** An operation with the object types that its values can have. */
export interface ServiceOperationView {
  operation: ServiceOperation
  objects: Record<string, ServiceObject>
  canCall: boolean
}

export interface ServiceDriftRow {
  operation: string
  kind: 'added' | 'removed' | 'changed'
  /** Signatures in words. */
  before: string | null
  after: string | null
  /** What changes, each in words. */
  changes: string[]
  usedBy: string[]
}

/** A description that was imported again, and is not applied yet. */
export interface ServiceImportView {
  hash: string
  /** Whether it differs from the one that is in use. */
  changed: boolean
  title: string
  version: string
  bytes: number
  drift: ServiceDriftRow[]
  /** Every operation of the description, to choose from. */
  available: { name: string; method: string; path: string; summary: string | null }[]
  warnings: string[]
}
