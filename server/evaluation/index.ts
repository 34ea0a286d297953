// Evaluation: bindings are created, stored, replayed, recomputed, explained and proved
// (docs/reference/bindings-and-evidence.md).
import type { Actor } from '../access/index.ts'
import type { EvaluateOutcome, ExpressionCheck, RecomputeOutcome, ReplayOutcome } from '#wire/evaluation.ts'
import { checkFor, completeFor, type EditorRequest } from './editor.ts'
import { compareReads, type ComparedExplanation, type ComparedReads } from './explain-reads.ts'
import { evaluate, type EvaluateRequest } from './evaluate.ts'
import { archiveStoredResult, evidenceFor, evidenceForRecord, type RecordResult } from './evidence.ts'
import {
  explainResolution,
  resolveFor,
  type SetResolutionExplanation,
  type ResolveRequest,
} from './explain-resolution.ts'
import type { ResultSource } from './result-source.ts'
import type { EvaluationDeps } from './deps.ts'
import { rebind, recompute, type RecomputeRequest } from './recompute.ts'
import { replayFor } from './replay.ts'
import type { ResultView } from './result-view.ts'
import { resultFor, resultsFor } from './results.ts'
import type { Completion } from '#kernel/expr/index.ts'
import type { Resolution } from '#kernel/config/index.ts'

export type { EditorRequest } from './editor.ts'
export type { EvaluateRequest } from './evaluate.ts'
export type {
  EvaluateOutcome,
  ExpressionCheck,
  RecomputeOutcome,
  ReplayOutcome,
  ReportedDifference,
} from '#wire/evaluation.ts'
export type {
  ResolutionStep,
  ResolutionExplanation,
  ResolveRequest,
  SetResolutionExplanation,
} from './explain-resolution.ts'
export type { ResultSource } from './result-source.ts'
export { evidenceOf } from './evidence.ts'
export type { EvaluationDeps, EvidenceBuilder } from './deps.ts'
export type { RecomputeRequest } from './recompute.ts'
export type { ResultView } from './result-view.ts'
export { resultsImpactOf, type ViewedSnapshot } from './results-impact.ts'

export interface EvaluationEngine {
  evaluate(by: Actor, request: EvaluateRequest): Promise<EvaluateOutcome>
  check(by: Actor, request: EditorRequest): ExpressionCheck
  complete(by: Actor, request: EditorRequest & { offset: number }): Completion
  resolve(by: Actor, request: ResolveRequest): Resolution
  explain(by: Actor, request: ResolveRequest): SetResolutionExplanation
  /** What a stored value of a record read, and what a recompute reads. */
  compareReads(by: Actor, reads: ComparedReads): ComparedExplanation
  replay(by: Actor, given: ResultSource): ReplayOutcome
  recompute(by: Actor, request: RecomputeRequest): Promise<RecomputeOutcome>
  rebind(by: Actor, resultId: string): Promise<RecomputeOutcome>
  /** Returns the bundle's text, and marks the result as archived. */
  archive(by: Actor, resultId: string): Promise<{ resultId: string; evidence: string }>
  /** Returns the bundle's text, to be passed on byte for byte. */
  evidence(by: Actor, resultId: string): Promise<string>
  /** The same for a stored value of a record. */
  recordEvidence(by: Actor, result: RecordResult): Promise<string>
  result(by: Actor, resultId: string): ResultView
  /** Newest first. */
  results(by: Actor, options?: { before?: string; limit?: number }): ResultView[]
}

export function createEvaluation(deps: EvaluationDeps): EvaluationEngine {
  return {
    evaluate: (by, request) => evaluate(deps, by, request),
    check: (by, request) => checkFor(deps, by, request),
    complete: (by, request) => completeFor(deps, by, request),
    resolve: (by, request) => resolveFor(deps, by, request),
    explain: (by, request) => explainResolution(deps, by, request),
    compareReads: (by, reads) => compareReads(deps, by, reads),
    replay: (by, given) => replayFor(deps, by, given),
    recompute: (by, request) => recompute(deps, by, request),
    rebind: (by, resultId) => rebind(deps, by, resultId),
    archive: (by, resultId) => archiveStoredResult(deps, by, resultId),
    evidence: (by, resultId) => evidenceFor(deps, by, resultId),
    recordEvidence: (by, result) => evidenceForRecord(deps, by, result),
    result: (by, resultId) => resultFor(deps, by, resultId),
    results: (by, options) => resultsFor(deps, by, options),
  }
}
