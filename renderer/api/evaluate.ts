// Resolving, evaluating, replaying and recomputing.
import type { ExpressionPlace, ParamType } from '#kernel/components/expression-slot.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Completion, CompletionItem } from '#kernel/expr/complete.ts'
import type { ExprProblem } from '#kernel/expr/problem.ts'
import { get, post, request } from './request.ts'
import type { Binding, ResolutionExplanation, StoredResult } from './wire.ts'

export interface EvaluationRequest {
  set: string
  key?: string
  scope?: ScopePath
  asOf?: string
  generation?: number
}

/** Returns every step of the walk, even if nothing is found. */
export const explain = (question: EvaluationRequest): Promise<ResolutionExplanation> =>
  post('/setup/v3/evaluate/explain', question)

export type Inputs = Record<string, { type: ParamType; value: string | boolean | null }>

export interface EvaluateRequest {
  expression: string
  inputs?: Inputs
  asOf?: string
  scope?: ScopePath
  generation?: number
  /** Label under which the result is stored. */
  store?: string
}

export interface EvaluationResult {
  /** Canonical JSON text of the value. */
  value: string
  type: string
  binding: Binding
  resultId?: string
}

export const evaluate = (ask: EvaluateRequest): Promise<EvaluationResult> => post('/setup/v3/evaluate', ask)

export interface ExpressionCheck {
  ok: boolean
  type: string | null
  problems: ExprProblem[]
}

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

/** A stored result by its id, or one from a file that `almanac evaluate --json` writes. */
export type ResultSource = { resultId: string } | ImportedResult

export interface ImportedResult {
  expression: string
  inputs?: unknown
  /** Canonical JSON text. */
  value: string
  binding: Binding
}

/** The walk to one set and key that was read. */
export type ReadStep = ResolutionExplanation & { set: string; key: string | null }

export interface ReplayResult {
  value: string
  binding: Binding
  identical: boolean
  /** What differs here from the binding, as sentences. */
  differences: { key: string; message: string }[]
  /** The recorded environment, if this org is a different one. */
  honouredEnvironment: string | null
  steps: ReadStep[]
}

export const replay = (given: ResultSource): Promise<ReplayResult> => post('/setup/v3/evaluate/replay', given)

export interface RecomputeResult {
  value: string
  binding: Binding
  changed: boolean
  reasons: string[]
}

export const recompute = (given: ResultSource): Promise<RecomputeResult> =>
  post('/setup/v3/evaluate/recompute', given)

/** Returns the newest results first; `before` is the id of the last one of the page before. */
export const fetchResults = async (limit: number, before?: string): Promise<StoredResult[]> =>
  (
    await get<{ results: StoredResult[] }>('/setup/v3/results', {
      limit,
      ...(before === undefined ? {} : { before }),
    })
  ).results
export const fetchResult = (id: string): Promise<StoredResult> =>
  get(`/setup/v3/results/${encodeURIComponent(id)}`)

export const rebind = (id: string): Promise<RecomputeResult> => post(`/setup/v3/results/${id}/rebind`)
export const archive = (id: string): Promise<{ resultId: string; evidence: string }> =>
  post(`/setup/v3/results/${id}/archive`)
/** Returns the signed bundle, byte for byte as it verifies. */
export const fetchEvidence = (resultId: string): Promise<string> =>
  request('POST', '/setup/v3/evaluate/evidence', { body: { resultId }, raw: true })

export type { ParamType, CompletionItem, ExprProblem }
