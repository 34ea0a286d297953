// Turns problems of a component's expressions into findings, with the place in the text as facts.
import type { ComponentOf } from '../components/body-types.ts'
import type { ComponentId } from '../components/component.ts'
import type { ExpressionSlot } from '../components/expression-slot.ts'
import { pointer } from '../components/pointer.ts'
import { errorFinding } from '../components/report.ts'
import type { Finding } from '../errors/finding.ts'
import { compileExpression } from './compile.ts'
import { libraryOf, type Library } from './library.ts'
import type { ComponentView } from '../components/view.ts'
import type { ExprProblem } from './problem.ts'
import { rollupProblems } from './site-rules.ts'

/** Returns every problem of every expression. `facts` holds start, end and the suggestion, if there is one. */
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

/** Reports roll-ups over virtual formulas that differ between viewers (docs/reference/resolution-and-dates.md). */
export function rollupFindings(object: ComponentOf<'object'>, library: Library): Finding[] {
  return object.body.fields.flatMap(({ rollup }, index) => {
    if (rollup?.of === undefined) return []
    const path = pointer('body', 'fields', index, 'rollup', 'of')
    return rollupProblems(rollup.child, rollup.of, library).map(({ code, message }) =>
      errorFinding(object, path, code, message),
    )
  })
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
