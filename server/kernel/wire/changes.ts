// Change lists as the server answers them and the studio reads them: types only (completions 4).
import type { ChangeCounts, ChangeKind } from '../change/change.ts'
import type { ClosureView } from '../change/closure/index.ts'
import type { Budget, Plan } from '../change/plan.ts'
import type { ValueChange } from '../change/value-diff.ts'
import type { ChangeWords } from '../change/words.ts'
import type { Component } from '../components/body-types.ts'
import type { ComponentId, ComponentType } from '../components/component.ts'
import type { Finding } from '../errors/finding.ts'

/** `C`: how its reader takes a component. */
export interface ChangeView<C = Component> {
  kind: ChangeKind
  id: ComponentId
  type: ComponentType
  key: string
  /** Of an entry: its set or flag. */
  set?: string
  words: ChangeWords
  values: readonly ValueChange[]
  /** Null for what is not there, and for what is hidden. */
  before: C | null
  after: C | null
  renamedFrom?: string
  /** Places in the list of findings that came with it. */
  findings: number[]
  /** The permissions that it asks for, as in `config.author, edit:vat_rate`. */
  requires: string
  /** Those of them that whoever asks does not hold; null where nothing is lacking. */
  lacks: string | null
}

/** What a change lacks. */
export interface Denial {
  id: ComponentId
  /** A system permission, or `edit:<set>` for the edit grant on a set or flag. */
  permission: string
  /** A sentence: who lacks what, for which change, and who can help. */
  message: string
}

export interface PlanView<C = Component> {
  plan: Plan
  changes: ChangeView<C>[]
  /** How many changes there are, where the list is cut. */
  total: number
  findings: Finding[]
  /** How many findings there are if the list is cut. */
  findingsTotal: number
  /** What its author may not do; an apply is refused because of it. */
  denials: readonly Denial[]
  budget: Budget
  /** What picked drafts take along, where that was asked. */
  closure?: ClosureView
  /** Every change by its name, in the order of `changes`, where that was asked. */
  index?: readonly { id: ComponentId; kind: ChangeKind; from?: ComponentId }[]
}

export interface AppliedView<C = Component> {
  generation: number
  changes: ChangeView<C>[]
  /** Of all changes, where the list is cut. */
  counts: ChangeCounts
  findings: Finding[]
  /** How many findings there are if the list is cut. */
  findingsTotal: number
  /** Of slices: `used` before this apply. */
  budget: Budget
  ms: number
}
