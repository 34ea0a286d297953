// Resolving, evaluating, replaying and recomputing.
import type { ExpressionPlace, ParamType } from '#kernel/components/expression-slot.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Completion, CompletionItem } from '#kernel/expr/complete.ts'
import type { ExprProblem } from '#kernel/expr/problem.ts'
import type {
  ArchivedResult,
  EvaluateOutcome,
  ExpressionCheck,
  RecomputeOutcome,
  ReplayOutcome,
} from '#wire/evaluation.ts'
import type { EvaluationInputs, SetResolutionExplanation } from '#wire/index.ts'
import type { ValuePreview } from '#wire/records.ts'
import { get, post, request } from './request.ts'
import type { Binding, StoredResult } from './wire.ts'

export type { ValuePreview } from '#wire/records.ts'
export type {
  EvaluateOutcome as EvaluationResult,
  ExpressionCheck,
  ReadExplanation as ReadStep,
  RecomputeOutcome as RecomputeResult,
  ReplayOutcome as ReplayResult,
} from '#wire/evaluation.ts'

export interface EvaluationRequest {
  set: string
  key?: string
  scope?: ScopePath
  asOf?: string
  generation?: number
}

/** Returns every step of the resolution, even if nothing is found. */
export const explain = (question: EvaluationRequest): Promise<SetResolutionExplanation> =>
  post('/setup/v3/evaluate/explain', question)

export type { EvaluationInputs as Inputs } from '#wire/index.ts'

export interface EvaluateRequest {
  expression: string
  inputs?: EvaluationInputs
  asOf?: string
  scope?: ScopePath
  generation?: number
  /** Label under which the result is stored. */
  store?: string
}

export const evaluate = (ask: EvaluateRequest): Promise<EvaluateOutcome> => post('/setup/v3/evaluate', ask)

/** The place of an expression: the playground with its inputs, or a place of a component as typed. */
export type ExpressionContext =
  { inputs: Record<string, ParamType> } | (ExpressionPlace & { component: unknown })

export const checkExpression = (expression: string, context: ExpressionContext): Promise<ExpressionCheck> =>
  post('/setup/v3/evaluate/check', { expression, ...context })

export const completeExpression = (
  expression: string,
  offset: number,
  context: ExpressionContext,
): Promise<Completion> => post('/setup/v3/evaluate/complete', { expression, offset, ...context })

export interface PreviewRequest extends ExpressionPlace {
  expression: string
  /** Of a record. */
  id: string
  asOf?: string
  /** How a field stores the value. */
  stored?: { type: string; precision?: number; scale?: number }
}

/** The value that an expression would have for a record now. */
export const evaluateForRecord = (body: PreviewRequest): Promise<ValuePreview> =>
  post('/setup/v3/evaluate/record', body)

/** A stored result by its id, or one from a file that `almanac evaluate --json` writes. */
export type ResultSource = { resultId: string } | ImportedResult

export interface ImportedResult {
  expression: string
  inputs?: unknown
  /** Canonical JSON text. */
  value: string
  binding: Binding
}

export const replay = (given: ResultSource): Promise<ReplayOutcome> =>
  post('/setup/v3/evaluate/replay', given)

export const recompute = (given: ResultSource): Promise<RecomputeOutcome> =>
  post('/setup/v3/evaluate/recompute', given)

/** Returns the newest results first; `before` is the id of the last result on the previous page. */
export const fetchResults = async (limit: number, before?: string): Promise<StoredResult[]> =>
  (
    await get<{ results: StoredResult[] }>('/setup/v3/results', {
      limit,
      ...(before === undefined ? {} : { before }),
    })
  ).results
export const fetchResult = (id: string): Promise<StoredResult> =>
  get(`/setup/v3/results/${encodeURIComponent(id)}`)

export const rebind = (id: string): Promise<RecomputeOutcome> => post(`/setup/v3/results/${id}/rebind`)
export const archive = (id: string): Promise<ArchivedResult> => post(`/setup/v3/results/${id}/archive`)
/** Returns the signed bundle, byte for byte, so that it can be verified. */
export const fetchEvidence = (resultId: string): Promise<string> =>
  request('POST', '/setup/v3/evaluate/evidence', { body: { resultId }, raw: true })

export type { ParamType, CompletionItem, ExprProblem }
