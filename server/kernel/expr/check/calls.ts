// Checks calls of built-ins, calc functions and keyed sets, and refuses calls that no expression can make.
import { explainCivilDate } from '../../dates/explain-civil-date.ts'
import { arity, builtInOf, builtIns, resolveOverload, signatureText, type BuiltIn } from '../functions.ts'
import type { ASTNode } from '../parse.ts'
import { compilePattern, PatternError } from '../pattern/pattern.ts'
import { booleanType, isCompatible, dynType, typeName, typeOfParam } from '../type-names.ts'
import type { Span, TypedExpression } from '../typed-tree.ts'
import {
  isRoot,
  methodSpan,
  reportMistake,
  receiverText,
  reportProblem,
  textOf,
  unknownName,
  type Checker,
} from './checker.ts'
import { checkMacro, isMacro } from './macros.ts'
import { rowNode } from './reads.ts'
import { spanOf } from './span.ts'

type NodeOf<O extends ASTNode['op']> = Extract<ASTNode, { op: O }>

/** CEL's names and other names that people try, each with ours. */
const instead: Readonly<Record<string, string>> = {
  has: 'use present(x) to test for a value',
  string: 'use text(x) to convert to text',
  int: 'use number(x) to convert to a number',
  uint: 'use number(x) to convert to a number',
  double: 'use number(x) to convert to a number',
  decimal: 'use number(x) to convert to a number',
  timestamp: 'use date("2026-01-01") to write a date',
  length: 'use size(x) to count characters or items',
  concat: 'join texts with +',
  iff: 'write a ? b : c',
}
const clocks: ReadonlySet<string> = new Set([
  'now',
  'today',
  'current_date',
  'currentDate',
  'utcnow',
  'getdate',
])

export function checkCall(checker: Checker, node: NodeOf<'call'>): TypedExpression {
  const [name, argNodes] = node.args
  const span = spanOf(node)
  const at: Span = { start: node.start, end: node.start + name.length }
  if (name === 'callout') return refuseCallout(checker, node, span)
  const args = argNodes.map((arg) => checker.value(checker, arg))
  if (name === 'changed' && checker.scope.hasPrior && !checker.view.has('calc_function', name))
    return changedTest(checker, args, span)
  if (clocks.has(name)) {
    const message = `${name}() does not exist, because expressions cannot read a clock: take the date from a field of the record, or declare an input.`
    return reportMistake(checker, 'expr.forbidden_call', span, message, { parts: args })
  }
  const builtIn = builtInOf(name)
  if (builtIn?.form === 'method') {
    const message = `Call ${name} as a method on a text value: ${signatureText(builtIn)}.`
    return reportMistake(checker, 'expr.type', span, message, {
      parts: args,
      suggestion: asMethod(checker, name, args),
    })
  }
  if (builtIn !== undefined) return builtInCall(checker, builtIn, args, span, at)
  if (checker.view.has('calc_function', name)) return calcCall(checker, name, args, span, at)
  return unknownFunction(checker, name, args, span, at)
}

export function checkMethod(checker: Checker, node: NodeOf<'rcall'>): TypedExpression {
  const [name, receiver, argNodes] = node.args
  const span = spanOf(node)
  const at = methodSpan(checker.source, receiver.end, name)
  if (isRoot(checker, receiver, 'config')) return keyedRow(checker, name, argNodes, span, at)
  if (isRoot(checker, receiver, 'flag'))
    return reportMistake(checker, 'expr.syntax', span, `A flag takes no arguments: write flag.${name}.`, {
      suggestion: `flag.${name}`,
    })
  if (isMacro(name)) return checkMacro(checker, name, receiver, argNodes, span)
  const args = [receiver, ...argNodes].map((arg) => checker.value(checker, arg))
  const builtIn = builtInOf(name)
  if (builtIn !== undefined && builtIn.form !== 'function')
    return builtInCall(checker, builtIn, args, span, at)
  if (builtIn !== undefined || checker.view.has('calc_function', name)) {
    const suggestion = `${name}(${args.map((arg) => textOf(checker, arg)).join(', ')})`
    return reportMistake(
      checker,
      'expr.type',
      at,
      `${name} is a function, not a method: write ${suggestion}.`,
      {
        node: span,
        parts: args,
        suggestion,
      },
    )
  }
  const methods = builtIns.filter(({ form }) => form !== 'function').map((method) => method.name)
  return unknownName(checker, at, `The function ".${name}()" does not exist.`, name, methods, {
    node: span,
    parts: args,
  })
}

/** `changed(<field>)`: a field of the record that is saved. */
function changedTest(checker: Checker, args: readonly TypedExpression[], span: Span): TypedExpression {
  const [of] = args
  if (of?.op === 'error' && args.length === 1) return of
  if (of?.op === 'field' && of.steps.length === 1 && !of.prior && args.length === 1)
    return { op: 'changed', of, type: booleanType, ...span }
  const message = `changed takes one field of ${checker.scope.object}: write changed(<field>).`
  return reportMistake(checker, 'expr.arguments', span, message, { parts: args })
}

function keyedRow(
  checker: Checker,
  set: string,
  argNodes: readonly ASTNode[],
  span: Span,
  at: Span,
): TypedExpression {
  const keys = argNodes.map((arg) => checker.value(checker, arg))
  if (keys.length !== 1)
    reportProblem(
      checker,
      'expr.set_key',
      span,
      `A keyed set takes one key: write config.${set}(<key>).<field>.`,
    )
  const dyn: TypedExpression = { op: 'error', parts: keys, type: dynType, ...span }
  return rowNode(checker, span, set, at, keys.length === 1 ? keys[0]! : dyn)
}

function builtInCall(
  checker: Checker,
  builtIn: BuiltIn,
  args: readonly TypedExpression[],
  span: Span,
  at: Span,
): TypedExpression {
  const call = { op: 'builtin' as const, builtIn, args, ...span }
  const resolved = resolveOverload(
    builtIn,
    args.map(({ type }) => type),
  )
  if (resolved !== null) {
    checkLiterals(checker, builtIn, args)
    return { ...call, type: resolved.result }
  }
  const { least, most } = arity(builtIn)
  const count = args.length
  const signatures = builtIn.overloads
    .slice(0, 3)
    .map((overload) => signatureText(builtIn, overload))
    .join(' or ')
  if (count < least || (most !== null && count > most))
    reportProblem(
      checker,
      'expr.arguments',
      at,
      `${builtIn.name} has the wrong number of arguments. Its signature is ${signatures}.`,
    )
  else {
    const argumentTypes = args.map(({ type }) => typeName(type)).join(', ')
    reportProblem(
      checker,
      'expr.type',
      span,
      `${builtIn.name} does not take (${argumentTypes}). Its signature is ${signatures}.`,
    )
  }
  const result = builtIn.overloads[0]!.result
  return { ...call, type: typeof result === 'string' ? dynType : result }
}

/**
 * Checks literal texts that a function parses (dates, patterns), so that a fault is reported at its place in the
 * source.
 */
function checkLiterals(checker: Checker, { name }: BuiltIn, args: readonly TypedExpression[]): void {
  const last = args.at(-1)!
  const text = last.op === 'literal' && typeof last.value === 'string' ? last.value : null
  if (name === 'date' && text !== null) {
    const reason = explainCivilDate(text)
    if (reason !== null) reportProblem(checker, 'expr.type', last, `${reason}.`)
  }
  if (name !== 'matches') return
  if (text === null)
    return reportProblem(
      checker,
      'expr.type',
      last,
      'The pattern passed to matches must be a string literal, so that it can be checked before it is used.',
    )
  try {
    compilePattern(text, checker.patterns)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    reportProblem(
      checker,
      'expr.type',
      last,
      `The pattern is not valid at character ${error.index + 1}: ${error.message}`,
    )
  }
}

function calcCall(
  checker: Checker,
  name: string,
  args: readonly TypedExpression[],
  span: Span,
  at: Span,
): TypedExpression {
  const { params, returns } = checker.view.get('calc_function', name)!.body
  const signature = `${name}(${params.map(({ key, type }) => `${key}: ${type}`).join(', ')}): ${returns}`
  if (args.length !== params.length)
    reportProblem(
      checker,
      'expr.arguments',
      at,
      `${name} takes ${params.length} ${params.length === 1 ? 'argument' : 'arguments'}, not ${args.length}. Its signature is ${signature}.`,
    )
  args.forEach((arg, index) => {
    const param = params[index]
    if (param === undefined || isCompatible(arg.type, typeOfParam(param.type))) return
    reportProblem(
      checker,
      'expr.type',
      arg,
      `${name} takes a ${param.type} as ${param.key}; this is a ${typeName(arg.type)}. Its signature is ${signature}.`,
    )
  })
  return { op: 'calc', function: name, name: at, args, type: typeOfParam(returns), ...span }
}

function unknownFunction(
  checker: Checker,
  name: string,
  args: readonly TypedExpression[],
  span: Span,
  at: Span,
): TypedExpression {
  const way = instead[name]
  const calc: TypedExpression = { op: 'calc', function: name, name: at, args, type: dynType, ...span }
  if (way !== undefined) {
    reportProblem(checker, 'expr.unknown_name', at, `The function "${name}" does not exist: ${way}.`)
    return { op: 'error', parts: args, type: dynType, ...span }
  }
  if (checker.view.has('config_set', name)) {
    reportProblem(
      checker,
      'expr.unknown_name',
      at,
      `"${name}" is a configuration set: write config.${name}(…).`,
      `config.${name}`,
    )
    return { op: 'error', parts: args, type: dynType, ...span }
  }
  const functionNames = [
    ...builtIns.filter(({ form }) => form !== 'method').map((builtIn) => builtIn.name),
    ...checker.view.keys('calc_function'),
  ]
  unknownName(checker, at, `The function "${name}" does not exist.`, name, functionNames)
  return calc
}

function refuseCallout(checker: Checker, node: NodeOf<'call'>, span: Span): TypedExpression {
  const [, argNodes] = node.args
  const first = argNodes[0]
  const credential =
    first?.op === 'id'
      ? first.args
      : first?.op === 'value' && typeof first.args === 'string'
        ? first.args
        : undefined
  const rest = argNodes.slice(1).map((arg) => checker.value(checker, arg))
  const message =
    `${capital(checker.scope.title)} cannot make a network call: expressions are pure. ` +
    'Add an action of type callout to an automation that runs after the commit, or to an invocable one.'
  return reportMistake(checker, 'expr.forbidden_call', span, message, { parts: rest, credential })
}

function asMethod(checker: Checker, name: string, args: readonly TypedExpression[]): string | undefined {
  const [receiver, ...rest] = args
  if (receiver === undefined) return undefined
  return `${receiverText(checker, receiver)}.${name}(${rest.map((arg) => textOf(checker, arg)).join(', ')})`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
