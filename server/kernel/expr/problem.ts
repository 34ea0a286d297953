// The problems that the compiler reports for an expression: data with a range, all of them
// (docs/reference/bindings-and-evidence.md).

export type ExprProblemCode =
  /** The text is not an expression. */
  | 'expr.syntax'
  /** A name that the metadata does not know. */
  | 'expr.unknown_name'
  /** Types that do not match. */
  | 'expr.type'
  /** The wrong number of arguments. */
  | 'expr.arguments'
  /** A keyed set read without a key, or a singleton with one. */
  | 'expr.set_key'
  /** The filter of a roll-up that reads more than stored fields of the child. */
  | 'expr.rollup_reads'
  /** A stored value that would differ from viewer to viewer. */
  | 'expr.viewer_dependent'
  /** An object that the dated set does not list. */
  | 'expr.not_a_reader'
  /** Dated sets of one expression that use different as-of dates. */
  | 'expr.as_of_mixed'
  /** A call that leaves the pure tiers. */
  | 'expr.forbidden_call'
  /** The whole expression has the wrong type. */
  | 'expr.result_type'
  /** A part of CEL that this language does not support. */
  | 'expr.unsupported'
  /** A filter that the source of a virtual object cannot apply. */
  | 'expr.not_pushed_down'
  /** A calc function that does not compile. */
  | 'expr.function'
  /** Functions that call each other so deeply that no evaluation could finish. */
  | 'expr.too_deep'
  /** Functions or formulas that need each other. */
  | 'expr.cycle'

export interface ExprProblem {
  code: ExprProblemCode
  /** One or two sentences: the subject, the reason, the fix. */
  message: string
  /** Half-open range of UTF-16 code units in the source. */
  start: number
  end: number
  /** Text that can replace the range, if one is safe to offer. */
  suggestion?: string
}
