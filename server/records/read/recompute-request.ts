// What a recompute of stored records needs to know.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { FieldId, ObjectId, RecordSnapshot, Shape } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'

export interface RecomputeRequest {
  object: ObjectId
  records: readonly StoredRecord[]
  snapshot: RecordSnapshot
  scopePath: ScopePath
  /** Which fields of other records are computed too before they are read; none if omitted. */
  follows?: Follows
  /** The fields that are computed; all if omitted. */
  fields?: FieldSet
  /** Finds the children that computed references move; if omitted, roll-ups have the children that are stored. */
  movedChildren?: (child: ObjectId, via: FieldId) => Promise<MovedChildren>
}

/** Records whose reference, when computed, leads to a different record than the stored one. */
export interface MovedChildren {
  /** Represents all of them among the places that were computed for a record. */
  place: string
  /** Their IDs, for a record to which they can move. */
  to(parent: string): readonly string[]
}

/** @param fields of the object, or null for all */
export type Follows = (object: ObjectId, fields: FieldSet | null) => Followed

export type FieldSet = ReadonlySet<FieldId>

/** What some fields of a record read of computed fields, by their objects. */
export interface Followed {
  /** The fields with those of the same record that they read; null for all. */
  fields: FieldSet | null
  along: ReadonlyMap<ObjectId, FieldSet>
  children: ReadonlyMap<ObjectId, FieldSet>
}

/**
 * Called with each record that was computed, and with those that were computed for it at any distance. A place is the ID of a
 * record; of one that was computed for others, its fields follow.
 */
export type OnShape = (place: string, shape: Shape, followed: ReadonlySet<string>) => void
