// Resolutions and stored results as the server sends them and the studio reads them: types only (specification 2.6, 2.7).
import type { ParamType } from '../components/expression-slot.ts'
import type { ScopePath } from '../components/scopes.ts'
import type { Binding } from '../config/binding.ts'
import type { Explanation, ExplainStep } from '../config/explain.ts'
import type { CivilDate } from '../dates/civil-date.ts'

export interface DeployedStep extends ExplainStep {
  /** Of the step's entry; null where the step names none. */
  deployedBy: { generation: number; actor: string; at: string } | null
}

export interface ResolutionExplained extends Omit<Explanation, 'steps'> {
  steps: DeployedStep[]
  /** Of the set in that generation, where it was asked for by itself. */
  digest?: string
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
  /** As it was asked; the binding holds what of it mattered. */
  asOf: CivilDate | null
  scope: ScopePath
  /** Canonical JSON text. */
  value: string
  binding: Binding
  /** An archived one has let go of its generation. */
  state: 'bound' | 'archived'
}
