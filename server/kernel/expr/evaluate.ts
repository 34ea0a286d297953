// Builds closures from a checked tree, created once and run often. A missing operand makes arithmetic missing and a
// comparison false, before any `!` (docs/reference/bindings-and-evidence.md).
import {
  add,
  compareDecimal,
  divide,
  DivisionByZeroError,
  isDecimal,
  multiply,
  negate,
  subtract,
  type Decimal,
} from '../decimal/decimal.ts'
import { remainder, toSafeInteger } from '../decimal/integers.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import {
  inspectionCost,
  multiplicationCost,
  createCharge,
  chargeText,
  type Charge,
  type Meter,
} from './meter.ts'
import { compilePattern } from './pattern/pattern.ts'
import { withLocation, type SourceLocation } from './source-location.ts'
import type { BinaryOperator, TypedExpression, TypedNode } from './typed-tree.ts'
import { isEqualValue, isListValue, compareValues, memberOf, type ExprValue } from './values.ts'

/** The data that an expression reads while it runs. Errors thrown here are passed on unchanged. */
export interface EvalInput {
  /** Reads a field by its keys along references, an input or a parameter by its name; null if it is missing. */
  field(path: readonly string[]): ExprValue
  /** The same for the record as it was before the save; undefined if the save adds it, or outside a save. */
  prior?: ((path: readonly string[]) => ExprValue) | undefined
  /** The id of the record. */
  id?: string | undefined
  /** Reads the row in force; `key` is undefined for a singleton and never null. */
  configRow(set: string, key: ExprValue | undefined): Readonly<Record<string, ExprValue>>
  flag(key: string): boolean
}

export interface Frame {
  readonly input: EvalInput
  /** Arguments of the running calc function, then variables of macros. */
  readonly locals: ExprValue[]
  /** The remaining budget of the whole evaluation. */
  readonly meter: Meter
}

export type Evaluator = (frame: Frame) => ExprValue

export interface CompileContext {
  readonly place: SourceLocation
  readonly evaluatorOf: (calcFunction: string) => Evaluator
  /** The remaining budget for constants computed at compile time, over the whole compile. */
  readonly folding: Meter
}

/** Returns the closure of a tree that was checked without problems. */
export function compileNode(node: TypedExpression, context: CompileContext): Evaluator {
  const spend = createCharge(context.place, node)
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
      return node.prior ? ({ input }) => input.prior?.(path) ?? null : ({ input }) => input.field(path)
    }
    case 'record_id':
      return ({ input }) => input.id ?? null
    case 'is_new':
      return ({ input }) => input.prior === undefined
    case 'changed':
      return changedRun(node, context)
    case 'flag': {
      const { flag } = node
      return ({ input, meter }) => {
        spend(meter, ROW_STEPS)
        return input.flag(flag)
      }
    }
    case 'config':
      return configRun(node, context)
    case 'builtin':
      return builtInRun(node, context)
    case 'calc': {
      const args = node.args.map((arg) => compileNode(arg, context))
      const run = context.evaluatorOf(node.function)
      return (frame) => {
        spend(frame.meter, CALL_STEPS)
        return run({ ...frame, locals: args.map((arg) => arg(frame)) })
      }
    }
    case 'binary':
      return binaryRun(node, context)
    case 'and':
      return logicRun(node, false, context)
    case 'or':
      return logicRun(node, true, context)
    case 'not': {
      const of = compileNode(node.of, context)
      return (frame) => {
        spend(frame.meter, 1)
        return of(frame) !== true
      }
    }
    case 'negate': {
      const of = compileNode(node.of, context)
      return (frame) => {
        const value = of(frame)
        spend(frame.meter, inspectionCost(value))
        return value === null ? null : negate(value as Decimal)
      }
    }
    case 'choose': {
      const [when, then, otherwise] = [node.when, node.then, node.otherwise].map((part) =>
        compileNode(part, context),
      ) as [Evaluator, Evaluator, Evaluator]
      return (frame) => {
        spend(frame.meter, 1)
        return when(frame) === true ? then(frame) : otherwise(frame)
      }
    }
    case 'list': {
      const items = node.items.map((item) => compileNode(item, context))
      return (frame) => {
        spend(frame.meter, 1 + items.length)
        return items.map((item) => item(frame))
      }
    }
    case 'member': {
      const of = compileNode(node.of, context)
      const { member } = node
      return (frame) => {
        spend(frame.meter, 1)
        return memberOf(of(frame), member)
      }
    }
    case 'index':
      return indexRun(node, context)
    case 'macro':
      return macroRun(node, context)
    case 'row':
    case 'error':
      throw new TypeError('An expression with problems cannot be evaluated.')
  }
}

/** A row is found by its key, scope and date; each of its fields is parsed from its stored text. */
const ROW_STEPS = 20
const FIELD_STEPS = 5
const CALL_STEPS = 3
const BUILT_IN_STEPS = 5

/** An error takes this long to make. */
const FAILURE_STEPS = 50

type Node<O extends TypedNode['op']> = Extract<TypedNode, { op: O }> & TypedExpression

/** `deciding` is the operand that decides alone: false for `&&`, true for `||`. */
function logicRun(node: Node<'and' | 'or'>, deciding: boolean, context: CompileContext): Evaluator {
  const runs = [compileNode(node.left, context), compileNode(node.right, context)]
  const spend = createCharge(context.place, node)
  return (frame) => {
    spend(frame.meter, 1)
    return decide(runs, deciding, (run) => run(frame) === true, spend, frame.meter)
  }
}

/**
 * Returns `deciding` if a test gives it, even if a different one fails, as CEL defines.
 * @throws AlmanacError of the first test that fails, if no other decides; at once for errors of the input and the cost.
 */
function decide<T>(
  tests: readonly T[],
  deciding: boolean,
  passes: (test: T) => boolean,
  spend: Charge,
  meter: Meter,
): boolean {
  let failure: AlmanacError | null = null
  for (const test of tests) {
    try {
      if (passes(test) === deciding) return deciding
    } catch (error) {
      if (!(error instanceof AlmanacError) || error.code !== 'expression.evaluation') throw error
      spend(meter, FAILURE_STEPS)
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return !deciding
}

function changedRun({ of, ...node }: Node<'changed'>, context: CompileContext): Evaluator {
  const spend = createCharge(context.place, node)
  const path = (of as Node<'field'>).steps.map(({ field }) => field)
  return ({ input, meter }) => {
    const [before, after] = [input.prior?.(path) ?? null, input.field(path)]
    spend(meter, inspectionCost(before, after))
    return before === null || after === null ? before !== after : !isEqualValue(before, after)
  }
}

function configRun(node: Node<'config'>, context: CompileContext): Evaluator {
  const { row, field } = node
  const { set } = row
  const spend = createCharge(context.place, node)
  const read = ({ input, meter }: Frame, key: ExprValue | undefined): ExprValue => {
    spend(meter, ROW_STEPS)
    const values = input.configRow(set, key)
    spend(meter, FIELD_STEPS * Object.keys(values).length)
    return values[field] ?? null
  }
  if (row.key === null) return (frame) => read(frame, undefined)
  const key = compileNode(row.key, context)
  return (frame) => {
    const value = key(frame)
    return value === null ? null : read(frame, value)
  }
}

function builtInRun(node: Node<'builtin'>, context: CompileContext): Evaluator {
  const { builtIn } = node
  const args = node.args.map((arg) => compileNode(arg, context))
  const seesMissing = builtIn.missing === 'seen'
  const whenMissing = builtIn.missing === 'false' ? false : null
  const evaluate = builtInOf(node, context)
  const run: Evaluator = (frame) => {
    const values: ExprValue[] = []
    for (const arg of args) {
      const value = arg(frame)
      if (value === null && !seesMissing) return whenMissing
      values.push(value)
    }
    return evaluate(values, frame.meter)
  }
  if (!node.args.every(({ op }) => op === 'literal')) return run
  // The result is always the same: it is computed once. If that fails, the evaluation reports the error.
  try {
    const values = node.args.map((arg) => (arg as Node<'literal'>).value)
    const value = evaluate(values, context.folding)
    return values.includes(null) ? run : () => value
  } catch {
    return run
  }
}

/** Returns the built-in with its costs and the place of its errors. A pattern is compiled here, not at every run. */
function builtInOf(
  node: Node<'builtin'>,
  { place }: CompileContext,
): (values: readonly ExprValue[], meter: Meter) => ExprValue {
  const { builtIn, args } = node
  const spend = createCharge(place, node)
  const pattern = builtIn.name === 'matches' && args[1]?.op === 'literal' ? args[1].value : null
  if (typeof pattern === 'string') {
    const matches = compilePattern(pattern)
    return ([text], meter) => matches(text as string, (steps) => spend(meter, steps))
  }
  return (values, meter) => {
    spend(meter, BUILT_IN_STEPS)
    for (const value of values) spend(meter, inspectionCost(value))
    try {
      const result = builtIn.evaluate(values)
      if (typeof result === 'string') chargeText(meter, result.length, place, node)
      return result
    } catch (error) {
      throw withLocation(error, place, node)
    }
  }
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

function binaryRun(node: Node<'binary'>, context: CompileContext): Evaluator {
  const [left, right] = [compileNode(node.left, context), compileNode(node.right, context)]
  const { operator } = node
  const { place } = context
  const spend = createCharge(place, node)
  if (operator === '==' || operator === '!=') {
    const expectsEqual = operator === '=='
    return (frame) => {
      const [a, b] = [left(frame), right(frame)]
      spend(frame.meter, inspectionCost(a, b))
      return a !== null && b !== null && isEqualValue(a, b) === expectsEqual
    }
  }
  if (operator === 'in')
    return (frame) => {
      const value = left(frame)
      const list = right(frame) as readonly ExprValue[] | null
      if (value === null || list === null) return false
      return list.some((item) => {
        spend(frame.meter, inspectionCost(value, item))
        return item !== null && isEqualValue(value, item)
      })
    }
  const holds = comparisons[operator]
  if (holds !== undefined)
    return (frame) => {
      const [a, b] = [left(frame), right(frame)]
      spend(frame.meter, inspectionCost(a, b))
      if (a === null || b === null) return false
      return holds(isDecimal(a) && isDecimal(b) ? compareDecimal(a, b) : compareValues(a, b))
    }
  if (node.type.kind === 'text')
    return (frame) => {
      const [a, b] = [left(frame), right(frame)]
      spend(frame.meter, 1)
      if (a === null || b === null) return null
      chargeText(frame.meter, (a as string).length + (b as string).length, place, node)
      return `${a as string}${b as string}`
    }
  const compute = arithmetic[operator]!
  const cost = operator === '*' || operator === '%' ? multiplicationCost : inspectionCost
  return (frame) => {
    const [a, b] = [left(frame), right(frame)]
    spend(frame.meter, cost(a, b))
    if (a === null || b === null) return null
    try {
      return compute(a as Decimal, b as Decimal)
    } catch (error) {
      // The mistake is in the divisor, as in a division by the constant zero.
      throw withLocation(error, place, error instanceof DivisionByZeroError ? node.right : node)
    }
  }
}

/** A position that the list does not have is a missing item. */
function indexRun({ of, at, ...node }: Node<'index'>, context: CompileContext): Evaluator {
  const spend = createCharge(context.place, node)
  const [list, position] = [compileNode(of, context), compileNode(at, context)]
  return (frame) => {
    const [items, value] = [list(frame), position(frame)]
    spend(frame.meter, 1)
    const index = isDecimal(value) ? toSafeInteger(value) : null
    return isListValue(items) && index !== null ? (items[index] ?? null) : null
  }
}

function macroRun({ macro, slot, ...node }: Node<'macro'>, context: CompileContext): Evaluator {
  const spend = createCharge(context.place, node)
  const over = compileNode(node.over, context)
  const test = node.test === null ? null : compileNode(node.test, context)
  const result = node.result === null ? null : compileNode(node.result, context)
  return (frame) => {
    const items = over(frame) as readonly ExprValue[] | null
    // Over a missing list, tests are false and lists are missing.
    if (items === null) return macro === 'map' || macro === 'filter' ? null : false
    const passes = (item: ExprValue): boolean => {
      spend(frame.meter, 1)
      frame.locals[slot] = item
      return test === null || test(frame) === true
    }
    switch (macro) {
      case 'all':
        return decide(items, false, passes, spend, frame.meter)
      case 'exists':
        return decide(items, true, passes, spend, frame.meter)
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
