// HTTP types of evaluated, replayed and recomputed expressions (docs/reference/bindings-and-evidence.md).
import type { Scope } from '#kernel/components/scopes.ts'
import type {
  Binding,
  BindingDifference,
  EvaluationResult,
  ReplayResult,
  Resolution,
} from '#kernel/config/index.ts'
import type { ExprProblem, Reads } from '#kernel/expr/index.ts'
import type { ResolutionExplanation } from './results.ts'

/** `POST /setup/v3/evaluate`. */
export interface EvaluateOutcome extends EvaluationResult {
  /** Set if it was stored. */
  resultId?: string
}

/** `POST /setup/v3/evaluate/check`. */
export interface ExpressionCheck {
  ok: boolean
  /** Null if it does not compile. */
  type: string | null
  problems: readonly ExprProblem[]
  reads: Reads
}

/** The walk to one set and key that was read. */
export type ReadExplanation = ResolutionExplanation & { set: string; key: string | null }

export interface ReportedDifference extends BindingDifference {
  /** Sentences: what differs, and what this org has of it at the recorded scope path and date. */
  message: string
  /** For a set, what resolves here for each key, in the order of the reads; no entry if nothing does. */
  here: LocalResolution[]
}

export interface LocalResolution {
  key: string | null
  entry: string | null
  scope: Scope | null
  values: Resolution['values'] | null
}

/** `POST /setup/v3/evaluate/replay`. */
export interface ReplayOutcome extends Omit<ReplayResult, 'differences'> {
  differences: ReportedDifference[]
  /**
   * The environment of the recorded scope path, used although this org has a different one; null if the two are the
   * same.
   */
  honouredEnvironment: string | null
  /** Every set and key that was read, with the resolution steps that found its entry. */
  steps: ReadExplanation[]
}

/** What the value of a record read of the configuration, as far as the caller can see it. */
export interface BindingExplanation {
  /** Without the sets that the caller cannot read. */
  binding: Binding
  hiddenSets: number
  /** Every set and key that was read, with the resolution steps that found its entry. */
  steps: ReadExplanation[]
}

/** `POST /setup/v3/evaluate/recompute`. */
export interface RecomputeOutcome extends EvaluationResult {
  /** The original value, canonical JSON text. */
  before: string
  /** Whether the bytes of the value differ. */
  changed: boolean
  /** One sentence for each thing that differs, whether or not the value changed with it. */
  reasons: string[]
  resultId?: string
}

/** `POST /setup/v3/results/{id}/archive`. */
export interface ArchivedResult {
  resultId: string
  /** The text of the evidence bundle. */
  evidence: string
}
