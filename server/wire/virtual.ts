// HTTP types of virtual objects and of the services behind them (docs/reference/virtual-objects.md).
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { Warning } from './records.ts'

/** `GET /setup/v3/data-sources/{source}/entity-sets`. */
export interface EntitySetList {
  entitySets: EntitySetSummary[]
}

export interface EntitySetSummary {
  name: string
  /** The qualified name of the entity type. */
  type: string
  key: string[]
  properties: number
  /** Why no virtual object can have its rows; null if one can. */
  refusal: string | null
  /** Keys of the virtual objects that have its rows. */
  objects: string[]
}

/** `GET /setup/v3/data-sources/{source}/entity-sets/{entitySet}`. */
export interface EntitySetView extends EntitySetSummary {
  details: {
    name: string
    type: string
    isCollection: boolean
    isNullable: boolean
    /** Whether the source sets it. */
    isComputed: boolean
    /** The key of the field that maps it in the draft; null without one. */
    field: string | null
    /** Why it has no field, or what was assumed. */
    note: string | null
  }[]
  /** Components to review and apply; null if no object can have the rows. */
  draft: { object: DraftedPart; valueSets: DraftedPart[] } | null
}

export interface DraftedPart {
  type: 'object' | 'value_set'
  key: string
  label: string
  body: Record<string, unknown>
}

/** `GET /setup/v3/data-sources/{source}/entity-sets/{entitySet}/rows`: a first page, as the user. */
export interface EntitySetRows {
  /** Keys of the fields of the draft. */
  fields: { key: string; label: string }[]
  rows: { id: string; values: FieldValue[] }[]
  hasMore: boolean
  warnings: Warning[]
}

/** `GET /setup/v3/virtual-objects/{object}`: what its Setup page shows. */
export interface VirtualObjectFacts {
  object: string
  dataSource: string
  /** What decides which rows a user sees. */
  rowAccess: 'owner_column' | 'object_permission'
  /** The column with the key of the owner; null without one. */
  ownerColumn: string | null
  /** How long the latest calls took, since the server started. */
  calls: number
  /** The time that 95 % of them did not exceed; null without a call. */
  p95Ms: number | null
  /** Above this time, an ingest is recommended. */
  slowMs: number
  recommendsIngest: boolean
}
