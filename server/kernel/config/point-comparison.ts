// Types for server and studio: the comparison of two points in time, and the values of one key by generation and day.
import type { FieldValue } from '../components/field-types.ts'
import type { Scope, ScopePath } from '../components/scopes.ts'
import type { Segment } from './segments.ts'

/** A generation and a day. The day is null only for a set without dates. */
export interface TimePoint {
  generation: number
  asOf: string | null
}

export interface PointResolution {
  entry: string
  scope: Scope
  values: Readonly<Record<string, FieldValue>>
  /** The days of the entry; null if the set is not dated or the range is open. */
  from: string | null
  to: string | null
  /** The generation and actor that applied this version of the entry. */
  deployedBy: { generation: number; actor: string; at: string } | null
}

export interface KeyComparison {
  /** Null for a singleton and a flag. */
  key: string | null
  /** Null if no entry matches at this point. */
  a: PointResolution | null
  b: PointResolution | null
  changed: boolean
  /** Fields whose values differ, in the order of the set. */
  fields: string[]
}

/** `POST /setup/v3/compare-points`. */
export interface PointComparison {
  set: string
  /** The key of the set at each point. */
  names: { a: string; b: string }
  a: TimePoint
  b: TimePoint
  scope: ScopePath
  keys: KeyComparison[]
  /** Keys compared in this response, and the total. */
  looked: number
  total: number
  /** Where to continue; null if all keys were compared. */
  nextCursor: string | null
}

/** Days on which a generation has different values than the one before it in the map. */
export interface KeyHistoryChange {
  from: string | null
  to: string | null
  before: Readonly<Record<string, FieldValue>> | null
  after: Readonly<Record<string, FieldValue>> | null
}

export interface KeyHistoryRow {
  generation: number
  at: string
  actor: string
  rationale: string
  segments: Segment[]
  changes: KeyHistoryChange[]
}

/** `POST /setup/v3/key-map`: one row for each generation that changed the key, newest first. */
export interface KeyHistoryView {
  set: string
  key: string | null
  scope: ScopePath
  generations: KeyHistoryRow[]
  /** How many generations changed the key. */
  total: number
  /** The generation below which to continue; null if the map is complete. */
  before: number | null
  /** Every day on which a value begins or ends in these rows, ascending. */
  days: string[]
  /** The former key of the set, and the last generation with it. */
  earlier: { set: string; until: number } | null
  /** The last generation that had the set, if the active one no longer does. */
  last: number | null
}
