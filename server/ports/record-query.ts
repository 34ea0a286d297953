// Queries over the records of one object, by the identities of objects and fields.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'

/** A reference that is followed to records of an object, of which only those that meet a condition are seen. */
export interface FollowedReference {
  field: FieldId
  target: ObjectId
  visible: Condition
}

/** A field of the record, or of one that it refers to. */
export interface QueryField {
  /** References that are followed, the first one from the record. */
  via: readonly FollowedReference[]
  field: FieldId | 'id'
  /** Of a text that is compared in one case, which no index has. */
  letterCase?: 'lower' | 'upper' | undefined
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** Never absent: a comparison with an absent value is false. Values are in the stored form of their field. */
export type Condition =
  | { op: 'constant'; value: boolean }
  | { op: 'and' | 'or'; parts: readonly Condition[] }
  | { op: 'not'; of: Condition }
  | {
      op: 'compare'
      operator: ComparisonOperator
      left: QueryField
      right: { value: FieldValue } | { field: QueryField }
    }
  | { op: 'in'; field: QueryField; values: readonly FieldValue[] }
  | { op: 'present' | 'is_true'; field: QueryField }
  | { op: 'starts_with' | 'ends_with' | 'contains'; field: QueryField; text: string }

/** Met by every record. */
export const always: Condition = { op: 'constant', value: true }

/** A field, in this direction. */
export interface QueryOrder {
  field: QueryField
  dir: 'asc' | 'desc'
}

/** The last record of a page: its values in the order of the query, and its id. */
export interface QueryPlace {
  values: readonly FieldValue[]
  id: string
}

export interface RecordQuery {
  object: ObjectId
  /** Each alternative is applied alone; a record is returned once. Usually reasons for which it is visible. */
  anyOf: readonly Condition[]
  where: Condition
  /** Absent sorts lowest. Equal records follow in the order of their ids. */
  orderBy: readonly QueryOrder[]
  /** The direction of their ids; by default that of the last order. */
  idDir?: 'asc' | 'desc' | undefined
  after: QueryPlace | null
  limit: number
  /** Only this record. */
  id?: string
}

export type RecordCount = Pick<RecordQuery, 'object' | 'anyOf' | 'where' | 'limit'>

/** Finds records by the beginnings of words. */
export interface RecordSearch {
  object: ObjectId
  /** A record is found if one of them is met. */
  anyOf: readonly Condition[]
  where: Condition
  /** Searched fields; at least one. */
  fields: readonly FieldId[]
  /** As `searchWords` returns them; at least one. Each begins a word of one of the fields. */
  words: readonly string[]
  after: QueryPlace | null
  limit: number
}
