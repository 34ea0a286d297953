// What an apply or a plan is asked for, and what it answers. Plain data, so that it can cross to a worker.
import type { Budget, Change, ChangeCounts, ChangeWords, Digest } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { GenerationKind } from '../ports/org-store.ts'
import type { Denial } from './parts.ts'

export type ChangeSource =
  /** Envelopes as a request holds them, hints included. */
  | { kind: 'components'; components: readonly unknown[]; removals?: readonly ComponentId[]; prune?: boolean }
  | { kind: 'directory'; dir: string; prune?: boolean }
  /** All drafts where `ids` is left out. They are gone once applied. */
  | { kind: 'drafts'; ids?: readonly ComponentId[] }
  /** Back to what an older generation held. */
  | { kind: 'generation'; generation: number }

export interface ChangeRequest {
  source: ChangeSource
  /** The generation that the author saw; a directory knows its own, otherwise the active one. */
  base?: number
  /** Digest of the reviewed plan; another change list is refused as conflict.stale_plan. */
  changeDigest?: string
  rationale?: string
  actor: string
  /** The command line on the org's own folder: whoever can write that sees all of it. */
  operator?: boolean
  correlationId?: string
  /** Most changes and findings in the answer; all where left out. */
  most?: number
}

export interface ChangeRow {
  change: Change
  words: ChangeWords
  /** Permissions that the actor lacks for it: a system permission, or `edit:<set>`. */
  lacks: string[]
  /** What of it its author may not see; `told` leaves that out. */
  hidden?: 'before' | 'both'
}

export interface PlanOutcome {
  lineage: string
  /** The generation that the plan stands on. */
  base: number
  changeDigest: Digest
  counts: ChangeCounts
  budget: Budget
  changes: ChangeRow[]
  /** How many changes and findings there are, where the lists are cut. */
  total: number
  findings: Finding[]
  findingsTotal: number
  /** Whether a finding is an error. */
  refused: boolean
  denials: Denial[]
  ms: number
}

export interface ApplyOutcome extends PlanOutcome {
  /** The new generation; the active one where nothing changed. */
  generation: number
  unchanged: boolean
}

/** Where jobs run: here, or in a worker beside the readers. */
export interface JobRunner {
  plan(request: ChangeRequest): Promise<PlanOutcome>
  apply(request: ChangeRequest, kind: GenerationKind): Promise<ApplyOutcome>
  close(): Promise<void>
}
