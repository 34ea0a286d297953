// The impact of a change list, in the response of `POST /metadata/v3/impact`: types only, shared by server and studio.
import type { ComponentId, ComponentType } from '../../components/component.ts'
import type { FieldValue } from '../../components/field-types.ts'
import type { Scope } from '../../components/scopes.ts'
import type { Budget } from '../plan.ts'
import type { Flip } from './flips.ts'
import type { RowValues } from './lane-changes.ts'
import type { ImpactReader } from './readers.ts'

/** A list that can be cut, with its total length. */
export interface TruncatedList<T> {
  items: T[]
  total: number
}

export interface ReadersOfType {
  type: ComponentType
  /** For people: "calc function". */
  title: string
  direct: number
  further: number
  readers: TruncatedList<ImpactReader>
}

/** Days on which one key at one scope has a different value. */
export interface ResolutionChange {
  set: string
  setLabel: string
  key: string | null
  scope: Scope
  from: string | null
  to: string | null
  before: RowValues | null
  after: RowValues | null
  /** `VAT rate, DE, org`. */
  title: string
  /** `0.1900`, `falls through`, `hidden from you`. */
  beforeWords: string
  afterWords: string
  /** `from 1 Jan 2027`, `1 Jan 2027 to 31 Dec 2027`, `immediately`. */
  when: string
  /** Whether the values are hidden from the caller; if so, they are null. */
  hidden: boolean
}

export interface FlipView extends Omit<Flip, 'who'> {
  setLabel: string
  /** Whether the set is a flag. */
  flag: boolean
  beforeWords: string
  afterWords: string
  who: TruncatedList<string>
  hidden: boolean
}

/** A stored result that would change. */
export interface ResultChange {
  id: string
  label: string
  at: string
  actor: string
  /** The stored value, the value recomputed today, and the value recomputed after the change list; JSON texts. */
  stored: string
  now: string | null
  after: string | null
  /** Why it has no value. */
  nowError: string | null
  afterError: string | null
  reads: string[]
}

export interface ResultsImpact {
  /** The changed results among those checked for this response. */
  changed: ResultChange[]
  /** The number of results checked for this response, and of bound results that the viewer can see. */
  looked: number
  total: number
  /** The number of checked results that read a changed component. */
  reading: number
  /** Where to continue; null if all were checked. */
  next: string | null
}

export interface Impact {
  base: number
  today: string
  changeDigest: string
  readers: { byType: ReadersOfType[]; total: number }
  resolution: TruncatedList<ResolutionChange>
  /** Which keys of the sets and flags that the list affects are covered by `resolution` and `flips`. */
  keys: { from: number; looked: number; total: number }
  flips: TruncatedList<FlipView>
  results: ResultsImpact
  budget: Budget
}

/** A record with a stored value that a recompute after the change list would change. */
export interface RecordValueChange {
  id: string
  /** The value of its name field; null if it has none or it cannot be read. */
  name: string | null
  /** The stored value, the value recomputed over the active generation, and over the change list. */
  stored: FieldValue
  now: FieldValue
  after: FieldValue
  /** Why it has no value. */
  afterError: string | null
}

export interface RecordFieldImpact {
  object: string
  objectLabel: string
  field: string
  label: string
  /** Whether the list adds the field, whose values a job computes after the apply. */
  added: boolean
  /** Records whose value would change, also those that the caller cannot see. */
  changed: number
  /** The first ones that the caller can see. */
  items: RecordValueChange[]
}

/** A part of the impact on records; the counts of all parts add up. */
export interface RecordsImpact {
  base: number
  changeDigest: string
  fields: RecordFieldImpact[]
  /** Records that this part went through, and of all objects that the list affects. */
  looked: number
  total: number
  /** Records that were not compared, because their formulas read what the caller cannot see. */
  hidden: number
  /** Records that were not compared, because a reference moves too many children of their roll-ups. */
  unfollowed: number
  /** Where to continue; null after the last part. */
  next: string | null
}

export type { ComponentId }
