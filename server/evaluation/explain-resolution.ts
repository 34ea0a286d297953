// Explains one resolution: every step of its walk, with the user and the generation that deployed the entry
// (docs/reference/bindings-and-evidence.md).
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  parseAsOf,
  explain,
  resolve,
  setOf,
  type EvaluationSnapshot,
  type ResolutionRequest,
  type Resolution,
} from '#kernel/config/index.ts'
import type { ResolutionStep, ResolutionExplanation, SetResolutionExplanation } from '#wire/index.ts'
import { requireVisibleValues, type Actor } from '../access/index.ts'
import type { EvaluationDeps } from './deps.ts'
import { scopeFor, evaluationContextOf, type EvaluationContext } from './evaluation-context.ts'

export interface ResolveRequest {
  set: string
  key?: string | null
  scope?: ScopePath
  asOf?: string | null
  generation?: number
}

export type { ResolutionStep, ResolutionExplanation, SetResolutionExplanation } from '#wire/index.ts'

/** @throws AlmanacError `config.*`, `access.denied`, `request.invalid`, `generation.not_found`. */
export function resolveFor(deps: EvaluationDeps, by: Actor, request: ResolveRequest): Resolution {
  const { context, question } = questionFor(deps, by, request)
  return resolve(context.snapshot.slice, question)
}

/** The same with its resolution steps. A request without a result is explained too; hidden values are refused. */
export function explainResolution(
  deps: EvaluationDeps,
  by: Actor,
  request: ResolveRequest,
): SetResolutionExplanation {
  const { context, question } = questionFor(deps, by, request)
  const { digest } = setOf(context.snapshot.slice, question.set)
  return { ...explainInSnapshot(deps, context.snapshot, question), digest }
}

export function explainInSnapshot(
  deps: EvaluationDeps,
  snapshot: EvaluationSnapshot,
  question: ResolutionRequest,
): ResolutionExplanation {
  const explanation = explain(snapshot.slice, question)
  return deps.store.read((reader) => {
    const steps = explanation.steps.map((step): ResolutionStep => {
      if (step.entry === null) return { ...step, deployedBy: null }
      // A flag's default is found under the flag's own key.
      const id =
        step.entry === question.set
          ? (`feature_flag/${step.entry}` as const)
          : (`config_entry/${step.entry}` as const)
      const version = reader.components.versionAt(snapshot.generation, id)
      if (version === undefined) return { ...step, deployedBy: null }
      const { from: generation, actor, at } = version
      return { ...step, deployedBy: { generation, actor, at } }
    })
    return { ...explanation, steps }
  })
}

function questionFor(
  deps: EvaluationDeps,
  by: Actor,
  request: ResolveRequest,
): { context: EvaluationContext; question: ResolutionRequest } {
  const snapshot = request.generation === undefined ? undefined : deps.snapshots.at(request.generation)
  const context = evaluationContextOf(deps, by, snapshot)
  // A hidden set and a missing one are refused in the same way, by the one message of the kernel.
  setOf(context.snapshot.slice, request.set)
  requireVisibleValues(context.visibility, request.set, by.actor)
  const question: ResolutionRequest = {
    set: request.set,
    key: request.key,
    scopePath: scopeFor(deps, context, request.scope),
    asOf: request.asOf == null ? null : parseAsOf(request.asOf),
  }
  return { context, question }
}
