// HTTP types of resolutions and stored results, shared by server and studio (docs/reference/bindings-and-evidence.md).
import type { ParamType } from '#kernel/components/expression-slot.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Binding } from '#kernel/config/binding.ts'
import type { Explanation, ExplainStep } from '#kernel/config/explain.ts'
import type { CivilDate } from '#kernel/dates/civil-date.ts'

export interface ResolutionStep extends ExplainStep {
  /** Where the step's entry was applied; null if the step has no entry. */
  deployedBy: { generation: number; actor: string; at: string } | null
}

export interface ResolutionExplanation extends Omit<Explanation, 'steps'> {
  steps: ResolutionStep[]
}

/** `POST /setup/v3/evaluate/explain`. */
export interface SetResolutionExplanation extends ResolutionExplanation {
  /** Digest of the set in that generation. */
  digest: string
}

/** Declared inputs by name; numbers are decimal strings. */
export type EvaluationInputs = Record<string, { type: ParamType; value: string | boolean | null }>

export interface ResultView {
  id: string
  label: string
  at: string
  actor: string
  expression: string
  inputs: EvaluationInputs
  /** As requested; the binding contains it only if it was used. */
  asOf: CivilDate | null
  scope: ScopePath
  /** Canonical JSON text. */
  value: string
  binding: Binding
  /** An archived result no longer binds its generation. */
  state: 'bound' | 'archived'
}
