// Help while an expression is written, over what its author may see.
import type { ExpressionSite, ParamType } from '#kernel/components/expression-slot.ts'
import {
  compileExpression,
  completeExpression,
  typeName,
  type Completion,
  type ExprProblem,
  type Reads,
} from '#kernel/expr/index.ts'
import type { By } from '../access/index.ts'
import type { EvaluationParts } from './parts.ts'
import { sightOf } from './sight.ts'

export interface EditorRequest {
  expression: string
  /** Name → type, for the playground. */
  inputs?: Record<string, ParamType>
  /** The playground, where left out. */
  site?: ExpressionSite
}

export interface CheckAnswer {
  ok: boolean
  /** Null where it does not compile. */
  type: string | null
  problems: readonly ExprProblem[]
  reads: Reads
}

export function checkFor(parts: EvaluationParts, by: By, request: EditorRequest): CheckAnswer {
  const compiled = compileExpression(request.expression, siteOf(request), sightOf(parts, by).world.view)
  const type = compiled.ok ? typeName(compiled.program.type) : null
  return { ok: compiled.ok, type, problems: compiled.problems, reads: compiled.reads }
}

export function completeFor(
  parts: EvaluationParts,
  by: By,
  request: EditorRequest & { offset: number },
): Completion {
  const { view } = sightOf(parts, by).world
  return completeExpression(request.expression, request.offset, siteOf(request), view)
}

function siteOf({ site, inputs = {} }: EditorRequest): ExpressionSite {
  return site ?? { kind: 'playground', inputs: Object.entries(inputs).map(([key, type]) => ({ key, type })) }
}
