// HTTP types of change lists, shared by server and studio (docs/reference/pipeline-and-approvals.md).
import type { ChangeCounts, ChangeKind } from '#kernel/change/change.ts'
import type { ClosureView } from '#kernel/change/closure/index.ts'
import type { Budget, Plan, PlannedChange } from '#kernel/change/plan.ts'
import type { ValueChange } from '#kernel/change/value-diff.ts'
import type { ChangeDescription } from '#kernel/change/change-description.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'

/** `C` is the reader's type of a component. */
export interface ChangeView<C = Component> {
  kind: ChangeKind
  id: ComponentId
  type: ComponentType
  key: string
  /** For an entry, its set or flag. */
  set?: string
  words: ChangeDescription
  values: readonly ValueChange[]
  /** Null if it does not exist or is hidden. */
  before: C | null
  after: C | null
  renamedFrom?: string
  /** Indices in the accompanying list of findings. */
  findings: number[]
  /** The permissions that it requires, such as `config.author, edit:vat_rate`. */
  requires: string
  /** The required permissions that the caller does not have; null if none is missing. */
  lacks: string | null
}

/** A missing permission of a change. */
export interface Denial {
  id: ComponentId
  /** A system permission, or `edit:<set>` for the edit grant on a set or flag. */
  permission: string
  /** A sentence: which user lacks which permission for which change, and who can help. */
  message: string
}

/** `POST /metadata/v3/diff` of a change list. */
export interface DiffView<C = Component> extends Pick<PlanView<C>, 'changes' | 'total' | 'index'> {
  changeDigest: string
}

/** `POST /setup/v3/repair`. */
export interface RepairView<C = Component> {
  drafts: ComponentId[]
  changes: ChangeView<C>[]
  /** Those that the choice did not repair. */
  findings: Finding[]
}

export type PlanView<C = Component> = PlanViewOf<ChangeView<C>[], readonly PlannedChange[]>

/** `Changes` and `Planned` are the lists: arrays over HTTP, or created as they are read. */
export interface PlanViewOf<Changes, Planned> {
  plan: Omit<Plan, 'changes'> & { changes: Planned }
  changes: Changes
  /** Number of changes; the list can be truncated. */
  total: number
  findings: Finding[]
  /** How many findings there are if the list is truncated. */
  findingsTotal: number
  /** Changes that its author is not allowed to make; an apply is refused because of them. */
  denials: readonly Denial[]
  budget: Budget
  /** The dependencies of picked drafts, if requested. */
  closure?: ClosureView
  /** Every change by its id, in the order of `changes`, if requested. */
  index?: readonly { id: ComponentId; kind: ChangeKind; from?: ComponentId }[]
}

export type AppliedView<C = Component> = AppliedViewOf<ChangeView<C>[]>

/** `Changes` is the list: an array over HTTP, or created as it is read. */
export interface AppliedViewOf<Changes> {
  generation: number
  changes: Changes
  /** Counts of all changes; the list can be truncated. */
  counts: ChangeCounts
  findings: Finding[]
  /** How many findings there are if the list is truncated. */
  findingsTotal: number
  /** Slice budget; `used` is before this apply. */
  budget: Budget
  ms: number
}
