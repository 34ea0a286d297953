// Editor support for expressions, over what the author may see.
import { draftedView, type DraftContent } from '#kernel/change/index.ts'
import { isComponentType } from '#kernel/components/component.ts'
import type { ExpressionSite, ParamType } from '#kernel/components/expression-slot.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { compileExpression, completeExpression, typeName, type Completion } from '#kernel/expr/index.ts'
import type { ExpressionCheck } from '#wire/evaluation.ts'
import type { Actor } from '../access/index.ts'
import { ownDrafts } from '../pipeline/index.ts'
import type { EvaluationDeps } from './deps.ts'
import { evaluationContextOf } from './evaluation-context.ts'

export interface EditorRequest {
  expression: string
  /** Name → type, for the playground. */
  inputs?: Record<string, ParamType>
  /** Where the expression is; if omitted, the playground. */
  site?: ExpressionSite
  /** The required type; if omitted, any. */
  expects?: ParamType | 'any'
  /**
   * The component that contains the expression, as typed so far. Names then also come from it and from the user's own
   * drafts.
   */
  component?: unknown
}

export function checkFor(deps: EvaluationDeps, by: Actor, request: EditorRequest): ExpressionCheck {
  const view = viewFor(deps, by, request)
  const compiled = compileExpression(request.expression, siteOf(request), view, request.expects)
  const type = compiled.ok ? typeName(compiled.program.type) : null
  return { ok: compiled.ok, type, problems: compiled.problems, reads: compiled.reads }
}

export function completeFor(
  deps: EvaluationDeps,
  by: Actor,
  request: EditorRequest & { offset: number },
): Completion {
  return completeExpression(request.expression, request.offset, siteOf(request), viewFor(deps, by, request))
}

function siteOf({ site, inputs = {} }: EditorRequest): ExpressionSite {
  return site ?? { kind: 'playground', inputs: Object.entries(inputs).map(([key, type]) => ({ key, type })) }
}

/** The playground evaluates active content; authoring also sees the author's drafts. */
function viewFor(deps: EvaluationDeps, by: Actor, { component }: EditorRequest): ComponentView {
  const { view } = evaluationContextOf(deps, by).snapshot
  if (component === undefined) return view
  const own = deps.store.read((reader) => ownDrafts(reader, by.actor))
  return draftedView(view, [
    ...own.map(({ id, text }) => ({ id, json: jsonOf(text) })),
    ...typedDraftsOf(component),
  ])
}

function jsonOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

function typedDraftsOf(component: unknown): DraftContent[] {
  if (typeof component !== 'object' || component === null) return []
  const { type, key } = component as { type?: unknown; key?: unknown }
  if (typeof type !== 'string' || !isComponentType(type) || typeof key !== 'string') return []
  return [{ id: `${type}/${key}`, json: component }]
}
