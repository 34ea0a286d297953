// The shape of a built-in function.
import type { ExprType } from '../../components/expression-slot.ts'
import type { ExprValue } from '../values.ts'

/** `T` is one type throughout a call, `any` is any type, `list` a list of anything. */
export type TypePattern = ExprType | 'T' | 'any' | 'list'

export interface Overload {
  params: readonly TypePattern[]
  /** How many of the last parameters are optional. */
  optional?: number
  /** The type of any further arguments. */
  rest?: TypePattern
  result: TypePattern
}

export interface BuiltIn {
  name: string
  /** `f(x)`, `x.f()`, or both. */
  form: 'function' | 'method' | 'both'
  overloads: readonly Overload[]
  /** One or two sentences for the editor. */
  doc: string
  example: string
  /**
   * With a missing argument, the result is missing or false (a test is a comparison), or the function receives the
   * missing value.
   */
  missing: 'missing' | 'false' | 'seen'
  /** @throws RangeError with a sentence that names the value; the evaluator adds the place. */
  evaluate: (args: readonly ExprValue[]) => ExprValue
}
