// HTTP types of objects and records (docs/reference/data-api.md).
import type { FieldValue, ObjectFieldType } from '#kernel/components/field-types.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ErrorClass, ErrorCode } from '#kernel/errors/catalogue.ts'
import type { BindingExplanation } from './evaluation.ts'

export interface ObjectSummary {
  key: string
  label: string
  aliases: string[]
  rights: { create: boolean; read: boolean; update: boolean; delete: boolean }
}

export interface FieldDescription {
  key: string
  label: string
  type: ObjectFieldType
  aliases: string[]
  required: boolean
  unique: boolean
  sensitive: boolean
  precision: number | null
  scale: number | null
  valueSet: string | null
  /** Keys of the active values of its value set. */
  values: string[] | null
  /** The label of every value of its value set, also of inactive ones, by key. */
  labels: Record<string, string> | null
  references: string | null
  /** How it is computed; null for an entered field. */
  computed: 'stored_formula' | 'virtual_formula' | 'roll_up' | null
  hasDefault: boolean
  editable: boolean
  /** Whether a job still computes it for existing records, so that it cannot be used in filters. */
  filling: boolean
}

/** A list of records as the org defines it, without what the caller cannot read. */
export interface ListViewDescription {
  key: string
  label: string
  /** Names of fields, also along references. */
  columns: string[]
  filter: string | null
  orderBy: { field: string; dir: 'asc' | 'desc' }[]
}

/** A list view that is placed in a section. */
export interface PlacedList extends ListViewDescription {
  /** The key of the object whose records are listed. */
  object: string
}

/** An item of a section. Names of fields are keys, never aliases. */
export interface PlacedItemDescription {
  id: string
  type: 'field' | 'component'
  /** A path of fields, `lookup_field` or `list_view`. */
  key: string
  /** Of a lookup field always with `field` if it is at one. */
  inputs: Record<string, string | number | boolean>
  /** Of a list view. */
  list?: PlacedList
}

export interface SectionDescription {
  id: string
  section: string
  columns: number
  items: PlacedItemDescription[]
}

/** A page of sections, without what the caller cannot read. */
export interface PlacedPage {
  key: string
  label: string
  sections: SectionDescription[]
}

export interface FlowDescription {
  key: string
  label: string
  /** The key of the object of the record that the flow adds. */
  object: string
  steps: FlowStep[]
}

export interface FlowStep extends PlacedPage {
  invoke?: StepCall
}

/** A call of an operation over the draft record. Fields are keys. */
export interface StepCall {
  operation: string
  /** Parameter → the field with its value. */
  args: Record<string, string>
  /** Returned value → the field that it fills. */
  into: Record<string, string>
  /** The field with the as-of date; null if the operation needs none. */
  asOf: string | null
}

/** What a call of an operation returns. */
export interface OperationResult {
  operation: string
  generation: number
  /** False if the condition of the operation is false: then no action has run. */
  ran: boolean
  /** Numbers are decimal strings, dates are ISO 8601. */
  returns: Record<string, string | boolean | null>
}

/** What a call of an operation of an external service returns. */
export interface ServiceOperationResult {
  operation: string
  generation: number
  ran: true
  /** The body as the operation declares it, with numbers as decimal strings. */
  returns: { status: number; body: unknown }
  attempts: {
    n: number
    at: string
    endpoint: string
    status: number | null
    latencyMs: number
    error: unknown
  }[]
}

export interface AppSummary {
  key: string
  label: string
}

export interface AppDescription extends AppSummary {
  objects: ObjectSummary[]
  pages: PlacedPage[]
  flows: FlowDescription[]
}

/** What a client must know of a virtual object. */
export interface RemoteDescription {
  /** The key of its external data source. */
  dataSource: string
  /** Whether rows can be added, changed and deleted; each with the ETag of the source. */
  writable: boolean
  /** Whether the source filters; otherwise filters and searches are refused. */
  filters: boolean
  sorts: boolean
  /** Whether the source counts, for `countTo`. */
  counts: boolean
}

export interface ObjectDescription extends ObjectSummary {
  /** Null for an object that stores its records here. */
  remote: RemoteDescription | null
  nameField: string | null
  listViews: ListViewDescription[]
  /** By key; the first one is shown unless the user chooses a different one. */
  layouts: PlacedPage[]
  fields: FieldDescription[]
}

export interface RecordJson {
  id: string
  /** The key of the object. */
  object: string
  /**
   * Of a stored record a number that grows with every write. Of a virtual object an opaque text that changes with the ETag of the
   * source, or null if the source has none.
   */
  version: number | string | null
  fields: Record<string, FieldValue>
  /** Codes of the errors of fields that could not be computed. */
  errors?: Record<string, string>
}

export interface QueryReply {
  records: RecordJson[]
  /** Null on the last page. */
  nextCursor: string | null
  /** How many records the query finds, up to its `countTo`; omitted without one, and if a source does not count. */
  totalEstimate?: number
  /** What is wrong with the page, which is shown nevertheless. Always of a virtual object. */
  warnings?: Warning[]
}

/** A warning in the shape of an error. */
export interface Warning {
  type: string
  title: string
  status: number
  detail: string
  class: ErrorClass
  code: ErrorCode
  correlationId: string
  retriable: boolean
  origin: string
  details: readonly unknown[]
}

export interface HistoryEntry {
  version: number
  operation: 'insert' | 'update' | 'erase' | 'delete'
  at: string
  by: string
  correlationId: string
  generation: number
  fields: { field: string; before: FieldValue; after: FieldValue }[]
  /** Stored values that were archived or bound differently; the value itself can be the same. */
  bindings: { field: string; before: BoundTo; after: BoundTo }[]
}

/** To what the history shows that a stored value was bound. */
export interface BoundTo {
  generation: number
  archived: boolean
}

export interface RecordHistory {
  changes: HistoryEntry[]
  /** Null on the last page. */
  nextCursor: string | null
}

/** What an erasure has replaced. */
export interface Erasure {
  /** The sensitive fields that the object has now. */
  fields: string[]
  /** Records that had such values, or values that were computed from them, now or earlier. */
  records: number
  /** Changes in the history that were replaced. */
  changes: number
  /** Whether a job still erases what was computed from the values in other records. */
  continues: boolean
}

/** Why a field of a record has its value, as far as the caller can see it. */
export interface ExplainedValue {
  object: string
  id: string
  /** Of the record. */
  version: number
  /** The key of the field. */
  field: string
  label: string
  type: ObjectFieldType
  value: FieldValue
  /** The code of the error of a virtual formula that could not be computed. */
  error: string | null
  /**
   * Why the value could not be computed in its generation; null if it was computed. With the place and the operands for a
   * caller who can read everything that the formula reads.
   */
  problem: { code: string; message: string } | null
  kind: 'entered' | 'stored_formula' | 'virtual_formula' | 'roll_up'
  /** The formula, or the filter of a roll-up, in the generation of the value; null without one. */
  expression: string | null
  rollUp: { op: string; child: string; of: string | null } | null
  /** Null if it reads nothing dated itself, or if the caller cannot read the field with the date. */
  asOf: { field: string; date: string | null } | null
  /** Fields that the formula reads, also along references. Those that the caller cannot read, the date included, are only counted. */
  inputs: { path: string; value: FieldValue }[]
  hiddenInputs: number
  /**
   * If the evidence of the value was archived, which freezes it. Once its generation is purged, only the bundle of the archive
   * explains it.
   */
  archived: { archive: string; at: string; by: string; generation: number; asOf: string | null } | null
}

export interface RecordPlace {
  /** Key or alias. */
  object: string
  id: string
}

/** `POST /setup/v3/record-names`. */
export interface RecordName extends RecordPlace {
  /** Null if the record does not exist, or if the caller cannot see it or its name. */
  name: string | null
}

/** `GET /setup/v3/archives`. */
export interface ArchiveList {
  archives: ArchiveSummary[]
  nextCursor: string | null
}

export interface ArchiveSummary {
  /** Of a job, its ID. */
  id: string
  /** Null if the object was removed. */
  object: string | null
  at: string
  by: string
  /** The number of bundles. */
  values: number
  /** The fields of which it has bundles, without removed ones and those that the caller cannot read. */
  fields: string[]
}

/** `GET /data/v3/{object}/{id}/values/{field}`. */
export interface ValueExplanationView extends ExplainedValue {
  /** Of a stored formula or a roll-up; null for other fields. */
  bound: (BindingExplanation & { replay: FieldValue; identical: boolean }) | null
  /** What a recompute would store now. */
  present:
    | (BindingExplanation & {
        value: FieldValue
        differs: boolean
        problem: { code: string; message: string } | null
        /** The formula, or the filter of a roll-up, as it is now. */
        expression: string | null
        rollUp: ExplainedValue['rollUp']
      })
    | null
  /** What differs between the two. */
  reasons: string[]
}

/** `POST /setup/v3/evaluate/record`: the value that an expression would have for a record. */
export interface ValuePreview {
  /** The key of the object of the record. */
  object: string
  /** The type of the expression, in words. */
  type: string
  value: JsonValue
  /** Why it cannot be computed; null if it can. */
  problem: { code: string; message: string } | null
  /** The as-of date with which configuration is read; null if none is needed. */
  asOf: { field: string; date: string | null } | null
  /** The values of its parts, by UTF-16 offsets. */
  parts: { start: number; end: number; value: JsonValue }[]
}
