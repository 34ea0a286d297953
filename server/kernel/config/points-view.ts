// Two points of time side by side, and what one key said in which generation about which day: types only, for server and
// page alike (studio: Time machine, "what we knew when, about when").
import type { FieldValue } from '../components/field-types.ts'
import type { Scope, ScopePath } from '../components/scopes.ts'
import type { Segment } from './segments.ts'

/** A generation and a day. The day is null only of a set without dates. */
export interface Point {
  generation: number
  asOf: string | null
}

export interface PointAnswer {
  entry: string
  scope: Scope
  values: Readonly<Record<string, FieldValue>>
  /** The days of the entry; null where they do not count, or are open. */
  from: string | null
  to: string | null
  /** Who put that version of the entry there. */
  deployedBy: { generation: number; actor: string; at: string } | null
}

export interface ComparedKey {
  /** Null of a singleton and of a flag. */
  key: string | null
  /** Null where nothing answers there. */
  a: PointAnswer | null
  b: PointAnswer | null
  changed: boolean
  /** Fields whose values differ, in the order of the set. */
  fields: string[]
}

/** `POST /setup/v3/compare-points`. */
export interface ComparedPoints {
  set: string
  /** What the set was called at each point. */
  names: { a: string; b: string }
  a: Point
  b: Point
  scope: ScopePath
  keys: ComparedKey[]
  /** Keys that this answer looked at, of how many there are to look at. */
  looked: number
  total: number
  /** Where to go on; null where all were looked at. */
  nextCursor: string | null
}

/** Days on which a generation says something else than the one before it in the map. */
export interface MapChange {
  from: string | null
  to: string | null
  before: Readonly<Record<string, FieldValue>> | null
  after: Readonly<Record<string, FieldValue>> | null
}

export interface MapRow {
  generation: number
  at: string
  actor: string
  rationale: string
  segments: Segment[]
  changes: MapChange[]
}

/** `POST /setup/v3/key-map`: one row a generation that changed the key, newest first. */
export interface KeyMapView {
  set: string
  key: string | null
  scope: ScopePath
  generations: MapRow[]
  /** How many generations changed the key. */
  total: number
  /** The generation below which to go on; null where the map is whole. */
  before: number | null
  /** Every day on which something begins or ends in these rows, ascending. */
  days: string[]
  /** What the set was called before, and until which generation. */
  earlier: { set: string; until: number } | null
  /** The last generation that had the set, where the active one has it no more. */
  last: number | null
}
