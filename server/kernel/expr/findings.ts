// Problems of a component's expressions as findings, with the place in the text as facts (specification 7).
import type { ComponentId } from '../components/component.ts'
import type { ExpressionSlot } from '../components/expression-slot.ts'
import type { Finding } from '../errors/finding.ts'
import { compileExpression } from './compile.ts'
import { libraryOf, type Library } from './library.ts'
import type { ComponentView } from '../components/view.ts'
import type { ExprProblem } from './problem.ts'

/** Every problem of every expression. `facts` holds start, end and, where there is one, the suggestion. */
export function expressionFindings(
  component: ComponentId,
  slots: readonly ExpressionSlot[],
  view: ComponentView,
  library: Library = libraryOf(view),
): Finding[] {
  return slots.flatMap(({ path, source, site, expects }) =>
    compileExpression(source, site, view, expects, library).problems.map((problem) =>
      findingOf(component, path, problem),
    ),
  )
}

function findingOf(
  component: ComponentId,
  path: string,
  { code, message, start, end, suggestion }: ExprProblem,
): Finding {
  const facts: Finding['facts'] = { start, end }
  if (suggestion !== undefined) facts.suggestion = suggestion
  return { severity: 'error', code, component, path, message, related: [], facts }
}
