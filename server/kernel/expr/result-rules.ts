// Checks a result beyond the type of a field: a record of the referenced object, a number that fits the field, a returned
// value of a type that a response can declare.
import type { ActionTarget, ExpressionSite, ExprType } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { formatDecimal, isDecimal } from '../decimal/decimal.ts'
import { normaliseNumber } from '../decimal/normalise-number.ts'
import { serviceTypeText } from '../components/external-service/service-types.ts'
import { didYouMean } from '../errors/suggest.ts'
import { constantsOf } from './enum-members.ts'
import type { ExprProblem } from './problem.ts'
import { resultField, type ResultField } from './result-field.ts'
import { exprTypeOf, typeOfArgument } from './service-values.ts'
import { isCompatible, typeName } from './type-names.ts'
import type { Span, TypedExpression } from './typed-tree.ts'

export function resultProblems(
  tree: TypedExpression,
  site: ExpressionSite,
  view: ComponentView,
): ExprProblem[] {
  if (site.kind === 'automation' && site.into?.kind === 'return') return returnProblems(tree, site.into.name)
  if (site.kind === 'automation' && site.into?.kind === 'credential') return credentialProblems(tree, view)
  if (site.kind === 'automation' && site.into?.kind === 'argument')
    return argumentProblems(tree, site.into, view)
  const field = resultField(site, view)
  if (field?.type === 'reference' && field.references !== undefined)
    return referenceProblems(tree, field.references)
  const isEntered = site.kind === 'automation' || site.kind === 'field_default'
  return field?.type === 'number' && isEntered ? numberProblems(tree, field) : []
}

/** A list or an object of the operation, or one of the texts that it allows. */
function argumentProblems(
  tree: TypedExpression,
  { operation, path }: Extract<ActionTarget, { kind: 'argument' }>,
  view: ComponentView,
): ExprProblem[] {
  const found = typeOfArgument(view, operation, path)
  if (found === null || tree.op === 'error') return []
  const { service, type } = found
  if (type.kind === 'text') return valueProblems(tree, type.values, path.at(-1)!)
  if (type.kind !== 'list' && type.kind !== 'object') return []
  if (isCompatible(tree.type, exprTypeOf(service, type))) return []
  const { start, end } = tree
  const way = type.kind === 'object' ? ` Set its members in the payload, as in "/name".` : ''
  const message = `${path.at(-1)} must be a ${serviceTypeText(type)}; this is a ${typeName(tree.type)}.${way}`
  return [{ code: 'expr.result_type', message, start, end }]
}

function valueProblems(
  tree: TypedExpression,
  values: readonly string[] | undefined,
  name: string,
): ExprProblem[] {
  if (values === undefined) return []
  return constantsOf(tree)
    .filter(({ value }) => !values.includes(value))
    .map(({ value, start, end }) => ({
      ...{ code: 'expr.result_type', start, end },
      message: `"${value}" is not a value of ${name}.${didYouMean(value, values)}`,
    }))
}

const returnable: readonly ExprType['kind'][] = ['decimal', 'text', 'boolean', 'date', 'datetime']

/** A caller must know the type of a returned value before the call. */
function returnProblems(tree: TypedExpression, name: string): ExprProblem[] {
  const { type, start, end } = tree
  if (tree.op === 'error' || returnable.includes(type.kind)) return []
  const message = `${name} is a ${typeName(type)}, but a returned value must be a number, text, a boolean, a date or a datetime.`
  return [{ code: 'expr.result_type', message, start, end }]
}

/** A credential that is not written in the automation comes from configuration, which is reviewed and deployed. */
function credentialProblems(node: TypedExpression, view: ComponentView): ExprProblem[] {
  const parts = choicesOf(node)
  if (parts !== null) return parts.flatMap((part) => credentialProblems(part, view))
  if (node.op === 'error') return []
  if (node.op === 'config') {
    const { set } = node.row
    const field = view.get('config_set', set)?.body.fields.find(({ key }) => key === node.field)
    if (field?.type === 'credential_reference') return []
  }
  const message =
    'The credential of a call is a key, or a field of configuration of the type credential_reference, such as config.bank.credential.'
  return [{ code: 'expr.result_type', message, ...spanOf(node) }]
}

/** The expressions of which one is the result; null if the node is the result itself. */
function choicesOf(node: TypedExpression): readonly TypedExpression[] | null {
  if (node.op === 'choose') return [node.then, node.otherwise]
  return node.op === 'builtin' && node.builtIn.name === 'coalesce' ? node.args : null
}

function referenceProblems(tree: TypedExpression, object: string): ExprProblem[] {
  const way = `Use a reference, such as a field that points to ${object}.`
  const problem = ({ start, end }: Span, message: string): ExprProblem => ({
    code: 'expr.result_type',
    message: `${message} ${way}`,
    start,
    end,
  })
  if (!isCompatible(tree.type, { kind: 'record', object }))
    return [problem(tree, `The result must be a record of ${object}; this is a ${typeName(tree.type)}.`)]
  return constantsOf(tree).map((constant) =>
    problem(constant, `The result must be a record of ${object}; "${constant.value}" is text.`),
  )
}

/** A literal number must fit its field; a computed number is rounded to the field's scale. */
function numberProblems(tree: TypedExpression, { name, precision, scale }: ResultField): ExprProblem[] {
  if (precision === undefined || scale === undefined) return []
  return numbersOf(tree).flatMap(({ text, start, end }): ExprProblem[] => {
    const fits = normaliseNumber(text, precision, scale)
    return fits.ok ? [] : [{ code: 'expr.result_type', message: `${name}: ${fits.hint}`, start, end }]
  })
}

/** Returns the literal numbers that can be the result: alone, in a choice, as a fallback of coalesce. */
function numbersOf(node: TypedExpression): (Span & { text: string })[] {
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
