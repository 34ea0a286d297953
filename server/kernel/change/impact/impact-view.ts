// What a change list does beyond itself, as `POST /metadata/v3/impact` answers it: types only, for server and page alike.
import type { ComponentId, ComponentType } from '../../components/component.ts'
import type { Scope } from '../../components/scopes.ts'
import type { Budget } from '../plan.ts'
import type { Flip } from './flips.ts'
import type { RowValues } from './lane-changes.ts'
import type { ImpactReader } from './readers.ts'

/** A list that is cut says how long it is. */
export interface Cut<T> {
  items: T[]
  total: number
}

export interface ReadersOfType {
  type: ComponentType
  /** For people: "calc function". */
  title: string
  direct: number
  further: number
  readers: Cut<ImpactReader>
}

/** Days on which one key at one scope answers something else. */
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
  /** `from 1 Jan 2027`, `1 Jan 2027 to 31 Dec 2027`, `at once`. */
  when: string
  /** Whether the values are hidden from whoever asks; they are null then. */
  hidden: boolean
}

export interface FlipView extends Omit<Flip, 'who'> {
  setLabel: string
  /** Whether the set is a flag. */
  flag: boolean
  beforeWords: string
  afterWords: string
  who: Cut<string>
  hidden: boolean
}

/** A stored result that would come out differently. */
export interface ResultChange {
  id: string
  label: string
  at: string
  actor: string
  /** As it is stored, as it would be recomputed today, as it would be recomputed after the change list; JSON texts. */
  stored: string
  now: string | null
  after: string | null
  /** Why there is no value then. */
  nowError: string | null
  afterError: string | null
  reads: string[]
}

export interface ResultsImpact {
  /** Those found among the results looked at so far in this answer. */
  changed: ResultChange[]
  /** Looked at in this answer, of how many bound results the org keeps. */
  looked: number
  total: number
  /** Of those looked at: which read what changes. */
  reading: number
  /** Where to go on; null where all were looked at. */
  next: string | null
}

export interface Impact {
  base: number
  today: string
  changeDigest: string
  readers: { byType: ReadersOfType[]; total: number }
  resolution: Cut<ResolutionChange>
  /** Of the keys of sets and flags that the list touches, those that `resolution` and `flips` speak of. */
  keys: { from: number; looked: number; total: number }
  flips: Cut<FlipView>
  results: ResultsImpact
  budget: Budget
}

export type { ComponentId }
