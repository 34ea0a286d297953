// Closures from a checked tree, made once and run often. A missing operand makes arithmetic missing and a comparison
// false, before any `!` (completions 3).
import {
  add,
  compareDecimal,
  divide,
  isDecimal,
  multiply,
  negate,
  subtract,
  type Decimal,
} from '../decimal/decimal.ts'
import { remainder } from '../decimal/whole.ts'
import { compilePattern } from './pattern/pattern.ts'
import { placed, type Place } from './place.ts'
import type { BinaryOperator, Typed, TypedNode } from './typed.ts'
import { equalValues, orderOf, type ExprValue } from './values.ts'

/** What an expression asks for while it runs. Errors thrown here pass through. */
export interface EvalInput {
  /** A field by its keys along references, an input or a parameter by its name; null where it is missing. */
  field(path: readonly string[]): ExprValue
  /** The row in force; `key` is undefined for a singleton and never missing. */
  configRow(set: string, key: ExprValue | undefined): Readonly<Record<string, ExprValue>>
  flag(key: string): boolean
}

export interface Frame {
  readonly input: EvalInput
  /** Arguments of the calc function that runs, then variables of macros. */
  readonly locals: ExprValue[]
}

export type Run = (frame: Frame) => ExprValue

export interface Context {
  readonly place: Place
  readonly runOf: (calcFunction: string) => Run
}

/** The closure of a tree that was checked without problems. */
export function toRun(node: Typed, context: Context): Run {
  switch (node.op) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'local': {
      const { slot } = node
      return ({ locals }) => locals[slot] ?? null
    }
    case 'input': {
      const path = [node.name]
      return ({ input }) => input.field(path)
    }
    case 'field': {
      const path = node.steps.map(({ field }) => field)
      return ({ input }) => input.field(path)
    }
    case 'flag': {
      const { flag } = node
      return ({ input }) => input.flag(flag)
    }
    case 'config':
      return configRun(node, context)
    case 'builtin':
      return builtInRun(node, context)
    case 'calc': {
      const args = node.args.map((arg) => toRun(arg, context))
      const run = context.runOf(node.function)
      return (frame) => run({ input: frame.input, locals: args.map((arg) => arg(frame)) })
    }
    case 'binary':
      return binaryRun(node, context)
    case 'and': {
      const [left, right] = [toRun(node.left, context), toRun(node.right, context)]
      return (frame) => left(frame) === true && right(frame) === true
    }
    case 'or': {
      const [left, right] = [toRun(node.left, context), toRun(node.right, context)]
      return (frame) => left(frame) === true || right(frame) === true
    }
    case 'not': {
      const of = toRun(node.of, context)
      return (frame) => of(frame) !== true
    }
    case 'negate': {
      const of = toRun(node.of, context)
      return (frame) => {
        const value = of(frame)
        return value === null ? null : negate(value as Decimal)
      }
    }
    case 'choose': {
      const [when, then, otherwise] = [node.when, node.then, node.otherwise].map((part) =>
        toRun(part, context),
      ) as [Run, Run, Run]
      return (frame) => (when(frame) === true ? then(frame) : otherwise(frame))
    }
    case 'list': {
      const items = node.items.map((item) => toRun(item, context))
      return (frame) => items.map((item) => item(frame))
    }
    case 'macro':
      return macroRun(node, context)
    case 'row':
    case 'error':
      throw new TypeError('An expression with problems is not evaluated.')
  }
}

type Node<O extends TypedNode['op']> = Extract<TypedNode, { op: O }> & Typed

function configRun({ row, field }: Node<'config'>, context: Context): Run {
  const { set } = row
  if (row.key === null) return ({ input }) => input.configRow(set, undefined)[field] ?? null
  const key = toRun(row.key, context)
  return (frame) => {
    const value = key(frame)
    return value === null ? null : (frame.input.configRow(set, value)[field] ?? null)
  }
}

function builtInRun(node: Node<'builtin'>, context: Context): Run {
  const { builtIn } = node
  const args = node.args.map((arg) => toRun(arg, context))
  const seesMissing = builtIn.missing === 'seen'
  const whenMissing = builtIn.missing === 'false' ? false : null
  const evaluate = withPattern(node)
  const run: Run = (frame) => {
    const values: ExprValue[] = []
    for (const arg of args) {
      const value = arg(frame)
      if (value === null && !seesMissing) return whenMissing
      values.push(value)
    }
    try {
      return evaluate(values)
    } catch (error) {
      throw placed(error, context.place, node)
    }
  }
  if (!node.args.every(({ op }) => op === 'literal')) return run
  // The same every time: computed once, unless it fails, which is for the evaluation to say.
  try {
    const value = evaluate(node.args.map((arg) => (arg as Node<'literal'>).value))
    return node.args.some((arg) => (arg as Node<'literal'>).value === null) ? run : () => value
  } catch {
    return run
  }
}

/** A pattern is compiled with the expression and not at every run. */
function withPattern({ builtIn, args }: Node<'builtin'>): (values: readonly ExprValue[]) => ExprValue {
  const pattern = builtIn.name === 'matches' && args[1]?.op === 'literal' ? args[1].value : null
  if (typeof pattern !== 'string') return builtIn.evaluate
  const matches = compilePattern(pattern)
  return ([text]) => matches(text as string)
}

const arithmetic: Readonly<Partial<Record<BinaryOperator, (a: Decimal, b: Decimal) => Decimal>>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
}

const comparisons: Readonly<Partial<Record<BinaryOperator, (order: number) => boolean>>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function binaryRun(node: Node<'binary'>, context: Context): Run {
  const [left, right] = [toRun(node.left, context), toRun(node.right, context)]
  const { operator } = node
  if (operator === '==' || operator === '!=') {
    const wanted = operator === '=='
    return (frame) => {
      const [a, b] = [left(frame), right(frame)]
      return a !== null && b !== null && equalValues(a, b) === wanted
    }
  }
  if (operator === 'in')
    return (frame) => {
      const [value, list] = [left(frame), right(frame)]
      return (
        value !== null &&
        list !== null &&
        (list as readonly ExprValue[]).some((item) => item !== null && equalValues(value, item))
      )
    }
  const holds = comparisons[operator]
  if (holds !== undefined)
    return (frame) => {
      const [a, b] = [left(frame), right(frame)]
      if (a === null || b === null) return false
      return holds(isDecimal(a) && isDecimal(b) ? compareDecimal(a, b) : orderOf(a, b))
    }
  if (node.type.kind === 'text')
    return (frame) => {
      const [a, b] = [left(frame), right(frame)]
      return a === null || b === null ? null : `${a as string}${b as string}`
    }
  const compute = arithmetic[operator]!
  return (frame) => {
    const [a, b] = [left(frame), right(frame)]
    if (a === null || b === null) return null
    try {
      return compute(a as Decimal, b as Decimal)
    } catch (error) {
      throw placed(error, context.place, node)
    }
  }
}

function macroRun({ macro, slot, ...node }: Node<'macro'>, context: Context): Run {
  const over = toRun(node.over, context)
  const test = node.test === null ? null : toRun(node.test, context)
  const result = node.result === null ? null : toRun(node.result, context)
  return (frame) => {
    const items = over(frame) as readonly ExprValue[] | null
    // Over a missing list nothing is known: tests are false, lists are missing.
    if (items === null) return macro === 'map' || macro === 'filter' ? null : false
    const passes = (item: ExprValue): boolean => {
      frame.locals[slot] = item
      return test === null || test(frame) === true
    }
    switch (macro) {
      case 'all':
        return items.every(passes)
      case 'exists':
        return items.some(passes)
      case 'exists_one':
        return items.filter(passes).length === 1
      case 'filter':
        return items.filter(passes)
      case 'map':
        // One item at a time: the test and the result share the variable.
        return items.flatMap((item) => (passes(item) ? [result!(frame)] : []))
    }
  }
}
