// What may be given to a field beyond its type: a record of the object that it points at, a number that it can hold
// (specification 2.1, 7; completions 1).
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { formatDecimal, isDecimal } from '../decimal/decimal.ts'
import { normaliseNumber } from '../decimal/normalise-number.ts'
import { constantsOf } from './enum-members.ts'
import type { ExprProblem } from './problem.ts'
import { resultField, type ResultField } from './result-field.ts'
import { compatible, typeName } from './type-names.ts'
import type { Span, Typed } from './typed.ts'

export function resultProblems(tree: Typed, site: ExpressionSite, view: ComponentView): ExprProblem[] {
  const field = resultField(site, view)
  if (field?.type === 'reference' && field.references !== undefined)
    return referenceProblems(tree, field.references)
  return field?.type === 'number' && site.kind === 'automation' ? numberProblems(tree, field) : []
}

function referenceProblems(tree: Typed, object: string): ExprProblem[] {
  const way = `Give a reference of the record, such as a field that points at ${object}.`
  const problem = ({ start, end }: Span, message: string): ExprProblem => ({
    code: 'expr.result_type',
    message: `${message} ${way}`,
    start,
    end,
  })
  if (!compatible(tree.type, { kind: 'record', object }))
    return [problem(tree, `The result must be a record of ${object}; this is a ${typeName(tree.type)}.`)]
  return constantsOf(tree).map((constant) =>
    problem(constant, `The result must be a record of ${object}; "${constant.value}" is a text.`),
  )
}

/** A number that is written out must fit its field; what is computed is rounded to its scale. */
function numberProblems(tree: Typed, { name, precision, scale }: ResultField): ExprProblem[] {
  if (precision === undefined || scale === undefined) return []
  return numbersOf(tree).flatMap(({ text, start, end }): ExprProblem[] => {
    const fits = normaliseNumber(text, precision, scale)
    return fits.ok ? [] : [{ code: 'expr.result_type', message: `${name}: ${fits.hint}`, start, end }]
  })
}

/** Numbers that are the result as they are written: alone, in a choice, as what is taken if nothing is there. */
function numbersOf(node: Typed): (Span & { text: string })[] {
  switch (node.op) {
    case 'literal':
      return isDecimal(node.value) ? [{ text: formatDecimal(node.value), ...spanOf(node) }] : []
    case 'negate':
      return numbersOf(node.of).map(({ text }) => ({ text: `-${text}`, ...spanOf(node) }))
    case 'choose':
      return [...numbersOf(node.then), ...numbersOf(node.otherwise)]
    case 'builtin':
      return node.builtIn.name === 'coalesce' ? node.args.flatMap(numbersOf) : []
    default:
      return []
  }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })
