// Evaluation: bindings are created, stored, replayed, recomputed, explained and proved (specification 2.6, 2.7).
import type { By } from '../access/index.ts'
import { checkFor, completeFor, type CheckAnswer, type EditorRequest } from './editor.ts'
import { evaluate, type EvaluateAnswer, type EvaluateRequest } from './evaluate.ts'
import { archive, evidenceFor } from './evidence.ts'
import {
  explainResolution,
  resolveFor,
  type ResolutionExplained,
  type ResolveRequest,
} from './explain-resolution.ts'
import type { GivenResult } from './given-result.ts'
import type { EvaluationParts } from './parts.ts'
import { rebind, recompute, type RecomputeAnswer, type RecomputeRequest } from './recompute.ts'
import { replayFor, type ReplayAnswer } from './replay.ts'
import type { ResultView } from './result-view.ts'
import { resultFor, resultsFor } from './results.ts'
import type { Completion } from '#kernel/expr/index.ts'
import type { Resolution } from '#kernel/config/index.ts'

export type { CheckAnswer, EditorRequest } from './editor.ts'
export type { EvaluateAnswer, EvaluateRequest } from './evaluate.ts'
export type { DeployedStep, ResolutionExplained, ResolveRequest } from './explain-resolution.ts'
export type { GivenResult } from './given-result.ts'
export { evidenceOf } from './evidence.ts'
export type { EvaluationParts, EvidenceMaker } from './parts.ts'
export type { RecomputeAnswer, RecomputeRequest } from './recompute.ts'
export type { ReplayAnswer, ReportedDifference } from './replay.ts'
export type { ResultView } from './result-view.ts'
export { resultsAfter, type ViewedWorld } from './results-after.ts'

export interface EvaluationEngine {
  evaluate(by: By, request: EvaluateRequest): Promise<EvaluateAnswer>
  check(by: By, request: EditorRequest): CheckAnswer
  complete(by: By, request: EditorRequest & { offset: number }): Completion
  resolve(by: By, request: ResolveRequest): Resolution
  explain(by: By, request: ResolveRequest): ResolutionExplained
  replay(by: By, given: GivenResult): ReplayAnswer
  recompute(by: By, request: RecomputeRequest): Promise<RecomputeAnswer>
  rebind(by: By, resultId: string): Promise<RecomputeAnswer>
  /** Returns the bundle's text, and marks the result as archived. */
  archive(by: By, resultId: string): Promise<{ resultId: string; evidence: string }>
  /** Returns the bundle's text, to be passed on byte for byte. */
  evidence(by: By, resultId: string): Promise<string>
  result(by: By, resultId: string): ResultView
  /** Newest first. */
  results(by: By, options?: { before?: string; limit?: number }): ResultView[]
}

export function createEvaluation(parts: EvaluationParts): EvaluationEngine {
  return {
    evaluate: (by, request) => evaluate(parts, by, request),
    check: (by, request) => checkFor(parts, by, request),
    complete: (by, request) => completeFor(parts, by, request),
    resolve: (by, request) => resolveFor(parts, by, request),
    explain: (by, request) => explainResolution(parts, by, request),
    replay: (by, given) => replayFor(parts, by, given),
    recompute: (by, request) => recompute(parts, by, request),
    rebind: (by, resultId) => rebind(parts, by, resultId),
    archive: (by, resultId) => archive(parts, by, resultId),
    evidence: (by, resultId) => evidenceFor(parts, by, resultId),
    result: (by, resultId) => resultFor(parts, by, resultId),
    results: (by, options) => resultsFor(parts, by, options),
  }
}
