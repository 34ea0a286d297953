// Explains one resolution: every step of its walk, with the user and the generation that deployed the entry
// (completions 3).
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  asOfFrom,
  explain,
  resolve,
  setOf,
  type EvaluationWorld,
  type Question,
  type Resolution,
} from '#kernel/config/index.ts'
import type { DeployedStep, ResolutionExplained } from '#kernel/wire/index.ts'
import { demandValues, type By } from '../access/index.ts'
import type { EvaluationParts } from './parts.ts'
import { scopeFor, sightOf, type Sight } from './sight.ts'

export interface ResolveRequest {
  set: string
  key?: string | null
  scope?: ScopePath
  asOf?: string | null
  generation?: number
}

export type { DeployedStep, ResolutionExplained } from '#kernel/wire/index.ts'

/** @throws AlmanacError `config.*`, `access.denied`, `request.invalid`, `generation.not_found`. */
export function resolveFor(parts: EvaluationParts, by: By, request: ResolveRequest): Resolution {
  const { sight, question } = asked(parts, by, request)
  return resolve(sight.world.slice, question)
}

/** The same with its walk. A question without a result is explained too; hidden values are refused. */
export function explainResolution(
  parts: EvaluationParts,
  by: By,
  request: ResolveRequest,
): ResolutionExplained {
  const { sight, question } = asked(parts, by, request)
  const { digest } = setOf(sight.world.slice, question.set)
  return { ...explainedIn(parts, sight.world, question), digest }
}

export function explainedIn(
  parts: EvaluationParts,
  world: EvaluationWorld,
  question: Question,
): ResolutionExplained {
  const explanation = explain(world.slice, question)
  return parts.store.read((reader) => {
    const steps = explanation.steps.map((step): DeployedStep => {
      if (step.entry === null) return { ...step, deployedBy: null }
      // A flag's default is found under the flag's own key.
      const id =
        step.entry === question.set
          ? (`feature_flag/${step.entry}` as const)
          : (`config_entry/${step.entry}` as const)
      const version = reader.deployedBy(world.generation, id)
      if (version === undefined) return { ...step, deployedBy: null }
      const { from: generation, actor, at } = version
      return { ...step, deployedBy: { generation, actor, at } }
    })
    return { ...explanation, steps }
  })
}

function asked(
  parts: EvaluationParts,
  by: By,
  request: ResolveRequest,
): { sight: Sight; question: Question } {
  const world = request.generation === undefined ? undefined : parts.worlds.at(request.generation)
  const sight = sightOf(parts, by, world)
  // A hidden set and a missing one are refused in the same way, by the one message of the kernel.
  setOf(sight.world.slice, request.set)
  demandValues(sight.visibility, request.set, by.actor)
  const question: Question = {
    set: request.set,
    key: request.key,
    scopePath: scopeFor(parts, sight, request.scope),
    asOf: request.asOf == null ? null : asOfFrom(request.asOf),
  }
  return { sight, question }
}
